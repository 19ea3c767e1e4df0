import type { Transaction } from 'kysely';
import type { TenantId } from '../../domain/kernel/ids';
import type { BooksSeen } from '../../domain/wallet/books';
import { WALLET_ACCOUNTS, type WalletAccount } from '../../domain/wallet/movement';
import type { StoreSchema } from './schema';
import { unprovenCredit, unprovenSettlement } from './wallet-evidence';
import { walletOf } from './wallet-row';

/** Adds up the books of a wallet, within one transaction. It reads every entry, so it is no matter of the request path. */
export async function inspectBooks(
  db: Transaction<StoreSchema>,
  tenant: TenantId,
): Promise<BooksSeen | undefined> {
  const row = await db.selectFrom('wallets').selectAll().where('tenant', '=', tenant).executeTakeFirst();
  if (row === undefined) return undefined;
  const sums = await sumsOf(db, tenant);
  return {
    wallet: walletOf(row),
    entries: {
      fundingMicroUsd: sums.funding,
      availableMicroUsd: sums.available,
      reservedMicroUsd: sums.reserved,
      spentMicroUsd: sums.spent,
    },
    unbalancedMovement: await unbalanced(db, tenant),
    heldByOpenMicroUsd: await heldByOpen(db, tenant),
    misSettled: (await misSettled(db, tenant)) ?? (await unprovenSettlement(db, tenant)),
    unprovenCredit: await unprovenCredit(db, tenant),
  };
}

async function sumsOf(
  db: Transaction<StoreSchema>,
  tenant: TenantId,
): Promise<Readonly<Record<WalletAccount, number>>> {
  const rows = await db
    .selectFrom('wallet_entries')
    .select(['account', (select) => select.fn.sum<number>('amount_micro_usd').as('total')])
    .where('tenant', '=', tenant)
    .groupBy('account')
    .execute();
  const totalOf = (account: WalletAccount) => Number(rows.find((row) => row.account === account)?.total ?? 0);
  const totals = WALLET_ACCOUNTS.map((account) => [account, totalOf(account)] as const);
  return Object.fromEntries(totals) as Record<WalletAccount, number>;
}

async function unbalanced(db: Transaction<StoreSchema>, tenant: TenantId): Promise<string | null> {
  const row = await db
    .selectFrom('wallet_entries')
    .select('movement')
    .where('tenant', '=', tenant)
    .groupBy('movement')
    .having((having) => having.fn.sum('amount_micro_usd'), '<>', 0)
    .limit(1)
    .executeTakeFirst();
  return row?.movement ?? null;
}

async function heldByOpen(db: Transaction<StoreSchema>, tenant: TenantId): Promise<number> {
  const row = await db
    .selectFrom('interactions')
    .select((select) => select.fn.sum<number | null>('reservation_micro_usd').as('total'))
    .where('closed_at', 'is', null)
    .where('tenant', '=', tenant)
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

/** Retention may have deleted a record, but never changed what one cost. */
async function misSettled(db: Transaction<StoreSchema>, tenant: TenantId): Promise<string | null> {
  const row = await db
    .selectFrom('interactions as closed')
    .leftJoin('wallet_entries as spent', (join) =>
      join
        .on((on) => on('spent.movement', '=', on('closed.request_id', '||', '/settlement')))
        .on('spent.account', '=', 'spent'),
    )
    .select('closed.request_id')
    .where('closed.tenant', '=', tenant)
    .where('closed.closed_at', 'is not', null)
    .where('closed.reservation_micro_usd', 'is not', null)
    .where((where) =>
      where(
        where.fn.coalesce('spent.amount_micro_usd', where.val(0)),
        '<>',
        where.fn.coalesce('closed.cost_micro_usd', 'closed.reservation_micro_usd'),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return row?.request_id ?? null;
}
