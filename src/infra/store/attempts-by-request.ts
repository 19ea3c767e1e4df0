import type { Kysely } from 'kysely';
import type { RequestId } from '../../domain/kernel/ids';
import type { AttemptRow } from './attempt-row';
import type { StoreSchema } from './schema';

/** The attempts of some interactions, by number. Meant for a page of them, since each id is a parameter of the query. */
export async function attemptsByRequest(
  db: Kysely<StoreSchema>,
  requestIds: readonly RequestId[],
): Promise<ReadonlyMap<RequestId, readonly AttemptRow[]>> {
  const byRequest = new Map<RequestId, AttemptRow[]>();
  if (requestIds.length === 0) return byRequest;
  const rows = await db
    .selectFrom('attempts')
    .selectAll()
    .where('request_id', 'in', requestIds)
    .orderBy('request_id')
    .orderBy('number')
    .execute();
  for (const row of rows) {
    const siblings = byRequest.get(row.request_id);
    if (siblings === undefined) byRequest.set(row.request_id, [row]);
    else siblings.push(row);
  }
  return byRequest;
}
