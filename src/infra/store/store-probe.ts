import type { Kysely } from 'kysely';
import type { Clock } from '../../usecase/port/clock';
import type { Timer } from '../../usecase/port/timer';
import { SystemTimer } from '../runtime/system-timer';
import type { StoreSchema } from './schema';
import { guarded } from './store-failure';

/** A verdict holds for so long: whoever asks more often, e.g. from outside, costs no more writes. */
const VERDICT_MS = 1_000;
/** A store that takes longer for one row is as good as gone; longer than it waits for others by itself. */
const ANSWER_MS = 3_000;

/**
 * Whether the store takes a write at this moment. A read would tell nothing of a full disk or a lock that somebody
 * holds, and without a write no interaction can begin.
 */
export class StoreProbe {
  private verdict: Promise<boolean> | null = null;
  private judgedAtMs = 0;
  private asking: Promise<boolean> | null = null;

  constructor(
    private readonly db: Kysely<StoreSchema>,
    private readonly clock: Clock,
    private readonly timer: Timer = new SystemTimer(),
  ) {}

  takesWrites(): Promise<boolean> {
    const nowMs = this.clock.nowMs();
    if (this.verdict === null || nowMs - this.judgedAtMs >= VERDICT_MS) {
      this.judgedAtMs = nowMs;
      this.verdict = this.inTime();
    }
    return this.verdict;
  }

  private inTime(): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.timer.start(ANSWER_MS, () => resolve(false));
      void this.ask().then((takesWrites) => {
        cancel();
        resolve(takesWrites);
      });
    });
  }

  /** One question at a time: those to a store that hangs would pile up. */
  private ask(): Promise<boolean> {
    this.asking ??= this.write()
      .then(
        () => true,
        () => false,
      )
      .finally(() => (this.asking = null));
    return this.asking;
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
