import type { UpdateObject } from 'kysely';
import type { StoreSchema } from '../schema';
import type { WalletAmounts, WalletEntryRow, WalletRow } from '../wallet-row';
import { PreparedWrite } from './prepared-write';
import type { SqliteDatabase } from './sqlite-database';

/** The statements that move money, prepared once. */
export function walletStatements({ connection, kysely: db }: SqliteDatabase) {
  const add = (row: WalletAmounts) =>
    db
      .updateTable('wallets')
      .set((wallet): UpdateObject<StoreSchema, 'wallets'> => ({
        available_micro_usd: wallet('available_micro_usd', '+', row.available_micro_usd),
        reserved_micro_usd: wallet('reserved_micro_usd', '+', row.reserved_micro_usd),
        spent_micro_usd: wallet('spent_micro_usd', '+', row.spent_micro_usd),
      }))
      .where('tenant', '=', '');
  return {
    add: new PreparedWrite<WalletAmounts>(connection, add),
    /** Changes nothing unless that much is available: the one place where requests compete for a wallet. */
    addIfAvailable: new PreparedWrite<WalletAmounts>(connection, (row) =>
      add(row).where('available_micro_usd', '>=', 0),
    ),
    insertEntry: new PreparedWrite<WalletEntryRow>(connection, (row) =>
      db.insertInto('wallet_entries').values(row),
    ),
    available: connection.prepare<[string], Pick<WalletRow, 'available_micro_usd'>>(
      db.selectFrom('wallets').select('available_micro_usd').where('tenant', '=', '').compile().sql,
    ),
  };
}
