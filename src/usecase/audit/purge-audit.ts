import type { AuditRetention } from '../port/audit-retention';
import type { Clock } from '../port/clock';
import type { Sleeper } from '../port/sleeper';

const DAY_MS = 86_400_000;
/** Records deleted in one transaction: some tens of milliseconds in which nobody else writes. */
const AT_A_TIME = 500;
/** Between two of them running interactions get their turn. */
const PAUSE_MS = 50;

export type PurgeAuditDeps = Readonly<{
  retention: AuditRetention;
  clock: Clock;
  sleeper: Sleeper;
  shutdown: AbortSignal;
}>;

/** Deletes what is older than the retention, whole UTC days at a time, so that a day leaves few anchors. */
export class PurgeAudit {
  constructor(private readonly deps: PurgeAuditDeps) {}

  /** Returns how many entries it went past. Where it is interrupted, the next run goes on. */
  async execute(retentionDays: number): Promise<number> {
    const { retention, clock } = this.deps;
    const today = Math.floor(clock.nowMs() / DAY_MS) * DAY_MS;
    const closedBeforeMs = today - retentionDays * DAY_MS;
    const order = { closedBeforeMs, limit: AT_A_TIME, rule: `retention ${retentionDays} days` };
    let passed = 0;
    for (const writer of await retention.candidates(closedBeforeMs)) {
      for (;;) {
        const records = await retention.purge(writer, order);
        passed += records;
        if (records === 0) break;
        if ((await this.deps.sleeper.sleep(PAUSE_MS, this.deps.shutdown)) === 'aborted') return passed;
      }
    }
    return passed;
  }
}
