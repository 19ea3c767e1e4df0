import type { Kysely } from 'kysely';
import type { Clock } from '../../usecase/port/clock';
import type { StoreSchema } from './schema';
import { guarded } from './store-failure';

/** A verdict holds for so long: whoever asks more often, e.g. from outside, costs no more writes. */
const VERDICT_MS = 1_000;

/**
 * Whether the store takes a write at this moment. A read would tell nothing of a full disk or a lock that somebody
 * holds, and without a write no interaction can begin.
 */
export class StoreProbe {
  private verdict: Promise<boolean> | null = null;
  private judgedAtMs = 0;

  constructor(
    private readonly db: Kysely<StoreSchema>,
    private readonly clock: Clock,
  ) {}

  takesWrites(): Promise<boolean> {
    const nowMs = this.clock.nowMs();
    if (this.verdict === null || nowMs - this.judgedAtMs >= VERDICT_MS) {
      this.judgedAtMs = nowMs;
      this.verdict = this.write().then(
        () => true,
        () => false,
      );
    }
    return this.verdict;
  }

  /** Writes a row as it is: a durable commit that changes nothing. */
  private write(): Promise<unknown> {
    return guarded(() =>
      this.db
        .updateTable('configuration_sequence')
        .set((update) => ({ last: update.ref('last') }))
        .execute(),
    );
  }
}
