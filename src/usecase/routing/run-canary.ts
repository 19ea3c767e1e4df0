import { callsForRollback, isSameCanary } from '../../domain/routing/canary';
import type { Canary, CanaryTally } from '../../domain/routing/canary';
import type { CanaryObserver, CanaryRef } from '../port/canary-observer';
import type { CanaryTallies } from '../port/canary-tallies';
import type { IncidentLog } from '../port/incident-log';
import { takeOutCanary } from './take-out-canary';
import type { TakeOutCanaryDeps } from './take-out-canary';

/** Stands in the version in place of a key. */
export const CANARY_ROLLBACK = 'canary-rollback';

export type RunCanaryDeps = TakeOutCanaryDeps &
  Readonly<{
    tallies: CanaryTallies;
    incidents: Pick<IncidentLog, 'canaryRolledBack' | 'canaryNotRolledBack'>;
  }>;

/** Watches canaries, and takes one back as soon as its rule says so (DESIGN §4). */
export class RunCanary implements CanaryObserver {
  /** Being taken back at this moment, so that the requests that follow don't ask for it again. */
  private readonly rollingBack = new Set<string>();

  constructor(private readonly deps: RunCanaryDeps) {}

  observe(ref: CanaryRef, outcome: 'served' | 'failed'): void {
    const { configuration, tallies } = this.deps;
    const current = configuration.policiesOf(ref.tenant).get(ref.policy);
    // A request that began under an earlier version says nothing of what a tenant has written since.
    const canary = current?.version === ref.version ? current.policy.canary : null;
    if (canary === null) return;
    const seen = tallies.add(ref, outcome);
    if (callsForRollback(canary.rollbackOn, seen)) void this.rollBack(ref, canary, seen);
  }

  private async rollBack(ref: CanaryRef, judged: Canary, seen: CanaryTally): Promise<void> {
    const { incidents } = this.deps;
    const key = JSON.stringify([ref.tenant, ref.policy, ref.version]);
    if (this.rollingBack.has(key)) return;
    this.rollingBack.add(key);
    try {
      const address = { tenant: ref.tenant, name: ref.policy, by: CANARY_ROLLBACK };
      const taken = await takeOutCanary(this.deps, address, (canary) => isSameCanary(canary, judged));
      if (taken.kind === 'taken_out') {
        incidents.canaryRolledBack({ ...ref, newVersion: taken.version.version, ...seen });
      }
    } catch (cause) {
      // The next request that it fails asks again.
      incidents.canaryNotRolledBack(ref, cause);
    } finally {
      this.rollingBack.delete(key);
    }
  }
}
