import type { Selectable } from 'kysely';
import type { BooksSeen } from '../../../src/domain/wallet/books';
import type { AttemptRow } from '../../../src/infra/store/attempt-row';
import type { StoreSchema } from '../../../src/infra/store/schema';
import { storesOn } from '../store/sqlite-stores';
import type { Asked } from './caller';
import { grouped } from './grouped';
import type { PaidTenant } from './mix';
import type { ProviderCall } from './providers';
import type { MoneyStage } from './stage';

export type SeenInteraction = Pick<
  Selectable<StoreSchema['interactions']>,
  'request_id' | 'tenant' | 'state' | 'cost_micro_usd' | 'usage_source' | 'reservation_micro_usd'
> &
  Readonly<{ billableId: string; callerId: string; tag: string; attempts: readonly AttemptRow[] }>;

/** Everything that callers, providers and the gateway's own store know after a mix. */
export type Seen = Readonly<{
  asked: readonly Asked[];
  calls: readonly ProviderCall[];
  interactions: readonly SeenInteraction[];
  books: Readonly<Record<PaidTenant, BooksSeen>>;
  credits: Readonly<Record<PaidTenant, number>>;
  /** The sum of all entries of all wallets. */
  entriesSum: number;
}>;

export async function seenAfter(stage: MoneyStage, asked: readonly Asked[]): Promise<Seen> {
  const calls = await stage.providers.calls();
  return stage.onStore(async (database) => {
    const { kysely: db } = database;
    const rows = await db.selectFrom('interactions').selectAll().orderBy('request_id').execute();
    const attempts = await db.selectFrom('attempts').selectAll().orderBy('number').execute();
    const entries = await db.selectFrom('wallet_entries').select('amount_micro_usd').execute();
    const { wallets } = await storesOn(database);
    const [demo, poor] = [await wallets.inspect('demo'), await wallets.inspect('poor')];
    const attemptsOf = grouped(attempts, (attempt) => attempt.request_id);
    const interactions = rows.map((row) => ({
      ...row,
      billableId: row.billable_id ?? '',
      callerId: row.parent_request_id ?? '',
      tag: (row.parent_request_id ?? '').replace(/\.\d+$/, ''),
      attempts: attemptsOf.get(row.request_id) ?? [],
    }));
    return {
      asked,
      calls,
      interactions,
      books: { demo: demo!, poor: poor! },
      credits: stage.credits,
      entriesSum: entries.reduce((sum, { amount_micro_usd: amount }) => sum + amount, 0),
    };
  });
}
