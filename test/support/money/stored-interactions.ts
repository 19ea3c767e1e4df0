import type { Kysely, Selectable } from 'kysely';
import type { AttemptRow } from '../../../src/infra/store/attempt-row';
import type { StoreSchema } from '../../../src/infra/store/schema';
import { grouped } from './grouped';

export type SeenInteraction = Pick<
  Selectable<StoreSchema['interactions']>,
  'request_id' | 'tenant' | 'state' | 'cost_micro_usd' | 'usage_source' | 'reservation_micro_usd'
> &
  Readonly<{ billableId: string; callerId: string; tag: string; attempts: readonly AttemptRow[] }>;

/** All that a store has on record, each with its attempts, by what its caller called it himself (`<tag>.<number>`). */
export async function interactionsIn(db: Kysely<StoreSchema>): Promise<readonly SeenInteraction[]> {
  const rows = await db.selectFrom('interactions').selectAll().orderBy('request_id').execute();
  const attempts = await db.selectFrom('attempts').selectAll().orderBy('number').execute();
  const attemptsOf = grouped(attempts, (attempt) => attempt.request_id);
  return rows.map((row) => ({
    ...row,
    billableId: row.billable_id ?? '',
    callerId: row.parent_request_id ?? '',
    tag: (row.parent_request_id ?? '').replace(/\.\d+$/, ''),
    attempts: attemptsOf.get(row.request_id) ?? [],
  }));
}

/** How many interactions are open. */
export async function openInteractionsIn(db: Kysely<StoreSchema>): Promise<number> {
  const open = db.selectFrom('interactions').select('request_id').where('closed_at', 'is', null);
  return (await open.execute()).length;
}

/** Nobody waits for a deadline here: that of whatever is open has passed long ago. */
export async function letDeadlinesPass(db: Kysely<StoreSchema>): Promise<void> {
  await db
    .updateTable('interactions')
    .set((row) => ({ deadline_at: row('deadline_at', '-', 600_000) }))
    .where('closed_at', 'is', null)
    .execute();
}
