import type { Kysely } from 'kysely';
import type { Refusal } from '../../domain/routing/refusal';
import type { OpenInteraction, OpenInteractions } from '../../usecase/port/open-interactions';
import { recordedAttemptOf } from './attempt-row';
import { attemptsByRequest } from './attempts-by-request';
import { fromJson } from './json-column';
import type { StoreSchema } from './schema';
import { guarded } from './store-failure';

export class SqlOpenInteractions implements OpenInteractions {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  findOpenBefore(deadlineBeforeMs: number, limit: number): Promise<readonly OpenInteraction[]> {
    return guarded(async () => {
      const rows = await this.db
        .selectFrom('interactions')
        .select(['request_id', 'deadline_at', 'reservation_micro_usd', 'refusals'])
        // The condition of the partial index, word for word, or it would not be used.
        .where('closed_at', 'is', null)
        .where('deadline_at', '<', deadlineBeforeMs)
        .orderBy('deadline_at')
        .limit(limit)
        .execute();
      const attempts = await attemptsByRequest(
        this.db,
        rows.map((row) => row.request_id),
      );
      return rows.map((row) => ({
        requestId: row.request_id,
        deadlineAtMs: row.deadline_at,
        reservationMicroUsd: row.reservation_micro_usd,
        refusals: fromJson<Refusal[]>(row.refusals),
        attempts: (attempts.get(row.request_id) ?? []).map(recordedAttemptOf),
      }));
    });
  }
}
