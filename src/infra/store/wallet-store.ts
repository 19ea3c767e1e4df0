import type { Kysely, Transaction, UpdateObject } from 'kysely';
import type { TenantId } from '../../domain/kernel/ids';
import { creditOf, effectOf, type Credit } from '../../domain/wallet/movement';
import type { BooksSeen } from '../../domain/wallet/books';
import type {
  CreditOutcome,
  EntryPage,
  EntryPageRequest,
  Payment,
  StoredWallet,
  WalletStore,
} from '../../usecase/port/wallet-store';
import type { ChainedChanges, ChangeFacts } from './chained-changes';
import type { ConfigurationWriter } from './configuration-writer';
import { toFlag } from './flag-column';
import type { StoreSchema } from './schema';
import { guarded } from './store-failure';
import { inspectBooks } from './wallet-inspection';
import { amountsOf, entryOf, entryRowsOf, walletOf, type WalletAmounts } from './wallet-row';

export type WalletStoreDeps = Readonly<{
  db: Kysely<StoreSchema>;
  changes: ChainedChanges;
  writer: ConfigurationWriter;
  nowMs: () => number;
}>;

export class SqlWalletStore implements WalletStore {
  constructor(private readonly deps: WalletStoreDeps) {}

  find(tenant: TenantId): Promise<StoredWallet | undefined> {
    return guarded(async () => {
      const row = await this.deps.db
        .selectFrom('wallets')
        .innerJoin('tenants', 'tenants.id', 'wallets.tenant')
        .selectAll('wallets')
        .select('tenants.wallet')
        .where('wallets.tenant', '=', tenant)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      return { ...walletOf(row), openedAtMs: row.opened_at, payment: row.wallet === 1 ? 'wallet' : 'none' };
    });
  }

  switchTo(tenant: TenantId, payment: Payment): Promise<void> {
    return this.deps.writer.write({ concept: 'tenant', id: tenant }, async (transaction) => {
      await transaction
        .insertInto('wallets')
        .values({ tenant, opened_at: this.deps.nowMs(), ...NOTHING })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await transaction
        .updateTable('tenants')
        .set({ wallet: toFlag(payment === 'wallet') })
        .where('id', '=', tenant)
        .execute();
    });
  }

  credit(credit: Credit): Promise<CreditOutcome> {
    return guarded(() =>
      this.deps.changes.transact(async (transaction, append) => {
        // Locks the row, so that of two credits with one reference the second one finds the first.
        if (!(await add(transaction, credit.tenant, NOTHING))) return { kind: 'no_wallet' };
        const known = await creditWith(transaction, credit);
        if (known !== undefined) return { kind: 'known', credit: known };
        const movement = creditOf(credit);
        await add(transaction, credit.tenant, amountsOf(effectOf(movement)));
        await transaction.insertInto('wallet_entries').values(entryRowsOf(movement)).execute();
        await append(changeOf(credit));
        return { kind: 'booked' };
      }),
    );
  }

  entries(tenant: TenantId, { after, limit }: EntryPageRequest): Promise<EntryPage> {
    return guarded(async () => {
      let query = this.deps.db.selectFrom('wallet_entries').selectAll().where('tenant', '=', tenant);
      if (after !== null) {
        query = query.where((where) =>
          where(
            where.refTuple('at', 'movement', 'account'),
            '<',
            where.tuple(after.atMs, after.movement, after.account),
          ),
        );
      }
      // One more than asked for tells whether there is a next page.
      const rows = await query
        .orderBy('at', 'desc')
        .orderBy('movement', 'desc')
        .orderBy('account', 'desc')
        .limit(limit + 1)
        .execute();
      const entries = rows.slice(0, limit).map(entryOf);
      return { entries, next: rows.length > limit ? (entries.at(-1) ?? null) : null };
    });
  }

  inspect(tenant: TenantId): Promise<BooksSeen | undefined> {
    return guarded(() =>
      this.deps.db
        .transaction()
        // Several queries see one moment. SQLite has no other level.
        .setIsolationLevel('repeatable read')
        .execute((transaction) => inspectBooks(transaction, tenant)),
    );
  }
}

function changeOf({ tenant, amountMicroUsd, reference, note }: Credit): ChangeFacts {
  const said = { amount_micro_usd: amountMicroUsd, note, reference };
  return {
    by: null,
    tenant,
    object: { kind: 'wallet', id: tenant },
    action: 'credited',
    fromVersion: null,
    toVersion: null,
    fields: Object.entries(said).map(([field, to]) => ({ field, values: { from: null, to } })),
  };
}

const NOTHING: WalletAmounts = { available_micro_usd: 0, reserved_micro_usd: 0, spent_micro_usd: 0 };

/** False: there is no such wallet. */
async function add(
  transaction: Transaction<StoreSchema>,
  tenant: TenantId,
  amounts: WalletAmounts,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('wallets')
    .set((wallet): UpdateObject<StoreSchema, 'wallets'> => ({
      available_micro_usd: wallet('available_micro_usd', '+', amounts.available_micro_usd),
    }))
    .where('tenant', '=', tenant)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The credit that was booked under this reference before. */
async function creditWith(
  transaction: Transaction<StoreSchema>,
  { tenant, reference }: Credit,
): Promise<Credit | undefined> {
  const row = await transaction
    .selectFrom('wallet_entries')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('reference', '=', reference)
    .where('account', '=', 'available')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { movement: id, at: atMs, amount_micro_usd: amountMicroUsd, note } = row;
  return { id, tenant, atMs, amountMicroUsd, reference, note };
}
