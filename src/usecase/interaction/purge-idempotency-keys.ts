import { KEY_RETENTION_MS } from '../../domain/interaction/idempotency';
import type { Clock } from '../port/clock';
import type { IdempotencyKeys } from '../port/idempotency-keys';
import type { Sleeper } from '../port/sleeper';

/** Keys deleted in one transaction: answers are large, and nobody else writes meanwhile. */
const AT_A_TIME = 100;
/** Between two of them running interactions get their turn. */
const PAUSE_MS = 50;

export type PurgeIdempotencyKeysDeps = Readonly<{
  keys: IdempotencyKeys;
  clock: Clock;
  sleeper: Sleeper;
  shutdown: AbortSignal;
}>;

/** Deletes the keys that are as good as never used, and with them the answers (DESIGN §7: kept 24 h). */
export class PurgeIdempotencyKeys {
  constructor(private readonly deps: PurgeIdempotencyKeysDeps) {}

  /** Returns how many it deleted. Where it is interrupted, the next run goes on. */
  async execute(): Promise<number> {
    const { keys, clock, sleeper, shutdown } = this.deps;
    const claimedUntilMs = clock.nowMs() - KEY_RETENTION_MS;
    let deleted = 0;
    for (;;) {
      const purged = await keys.purge(claimedUntilMs, AT_A_TIME);
      deleted += purged;
      if (purged < AT_A_TIME) return deleted;
      if ((await sleeper.sleep(PAUSE_MS, shutdown)) === 'aborted') return deleted;
    }
  }
}
