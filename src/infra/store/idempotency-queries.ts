import type { Kysely } from 'kysely';
import type { RequestId } from '../../domain/kernel/ids';
import type { IdempotencyKeyRow, SettledKeyRow } from './idempotency-row';
import type { StoreSchema } from './schema';

/** No interaction has it, so nobody's claim is superseded. */
export const NOBODY = '';

/**
 * Takes a key that is nobody's, or still that of the interaction that was found to leave it. It changes no row if somebody
 * else has it: of two claims at once, in one process or in two, one holds.
 */
export function claimKey(db: Kysely<StoreSchema>, row: IdempotencyKeyRow, supersedes: RequestId | null) {
  return db
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['tenant', 'key_hash'])
        .doUpdateSet((update) => ({
          body_hash: update.ref('excluded.body_hash'),
          request_id: update.ref('excluded.request_id'),
          billable_id: update.ref('excluded.billable_id'),
          claimed_at: update.ref('excluded.claimed_at'),
          state: update.ref('excluded.state'),
          answer: update.ref('excluded.answer'),
        }))
        .where('idempotency_keys.request_id', '=', supersedes ?? NOBODY),
    );
}

/** Its holder has ended. */
export function settleKey(db: Kysely<StoreSchema>, row: SettledKeyRow, requestId: RequestId) {
  return db.updateTable('idempotency_keys').set(row).where('request_id', '=', requestId);
}
