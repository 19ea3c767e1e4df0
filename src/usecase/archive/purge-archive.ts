import type { ArchiveStore } from '../port/archive-store';
import type { Clock } from '../port/clock';
import type { Sleeper } from '../port/sleeper';

/** Entries deleted in one transaction: they can be large, and nobody else writes meanwhile. */
const AT_A_TIME = 100;
/** Between two of them running interactions get their turn. */
const PAUSE_MS = 50;

export type PurgeArchiveDeps = Readonly<{
  store: Pick<ArchiveStore, 'purge'>;
  clock: Clock;
  sleeper: Sleeper;
  shutdown: AbortSignal;
}>;

/** Deletes what has expired; until then it was shown to nobody any more. */
export class PurgeArchive {
  constructor(private readonly deps: PurgeArchiveDeps) {}

  /** Returns how many it deleted. Where it is interrupted, the next run goes on. */
  async execute(): Promise<number> {
    const { store, clock, sleeper, shutdown } = this.deps;
    const nowMs = clock.nowMs();
    let deleted = 0;
    for (;;) {
      const purged = await store.purge(nowMs, AT_A_TIME);
      deleted += purged;
      if (purged < AT_A_TIME) return deleted;
      if ((await sleeper.sleep(PAUSE_MS, shutdown)) === 'aborted') return deleted;
    }
  }
}
