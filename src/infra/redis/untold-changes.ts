import type { HealthChange } from '../../domain/health/health-change';
import type { OfferingId } from '../../domain/kernel/ids';
import type { RouteChanges } from './health-message';

/** What is still to be told of one route; of each thing only the last word. Instants of this process's clock. */
type Untold = Readonly<{
  trialOver: boolean;
  circuit: 'closed' | Readonly<{ openUntilMs: number }> | null;
  throttledUntilMs: number | null;
}>;

export type Batch = ReadonlyMap<OfferingId, Untold>;

const NOTHING: Untold = { trialOver: false, circuit: null, throttledUntilMs: null };

/** Collects changes until they can be told, however long that takes: bounded by the number of routes. */
export class UntoldChanges {
  private byRoute = new Map<OfferingId, Untold>();

  get isEmpty(): boolean {
    return this.byRoute.size === 0;
  }

  add({ route, changes }: RouteChanges, nowMs: number): void {
    const before = this.byRoute.get(route) ?? NOTHING;
    this.byRoute.set(
      route,
      changes.reduce((untold, change) => later(untold, untoldOf(change, nowMs)), before),
    );
  }

  take(): Batch {
    const batch = this.byRoute;
    this.byRoute = new Map();
    return batch;
  }

  /** It could not be told; what was added meanwhile is newer. */
  giveBack(batch: Batch): void {
    for (const [route, untold] of batch) {
      this.byRoute.set(route, later(untold, this.byRoute.get(route) ?? NOTHING));
    }
  }
}

/** As they are to be told now: what has passed meanwhile is left out. */
export function changesOf(batch: Batch, nowMs: number): readonly RouteChanges[] {
  return [...batch].map(([route, untold]) => ({ route, changes: toldNow(untold, nowMs) }));
}

function toldNow({ trialOver, circuit, throttledUntilMs }: Untold, nowMs: number): readonly HealthChange[] {
  const changes: HealthChange[] = [];
  if (trialOver) changes.push({ kind: 'trial_over' });
  if (circuit === 'closed') changes.push({ kind: 'closed' });
  else if (circuit !== null && circuit.openUntilMs > nowMs)
    changes.push({ kind: 'opened', forMs: Math.ceil(circuit.openUntilMs - nowMs) });
  if (throttledUntilMs !== null && throttledUntilMs > nowMs)
    changes.push({ kind: 'throttled', forMs: Math.ceil(throttledUntilMs - nowMs) });
  return changes;
}

function untoldOf(change: HealthChange, nowMs: number): Untold {
  switch (change.kind) {
    case 'opened':
      return { ...NOTHING, circuit: { openUntilMs: nowMs + change.forMs } };
    case 'closed':
      return { ...NOTHING, circuit: 'closed' };
    case 'trial_over':
      return { ...NOTHING, trialOver: true };
    case 'throttled':
      return { ...NOTHING, throttledUntilMs: nowMs + change.forMs };
  }
}

function later(before: Untold, after: Untold): Untold {
  return {
    trialOver: before.trialOver || after.trialOver,
    circuit: after.circuit ?? before.circuit,
    throttledUntilMs: after.throttledUntilMs ?? before.throttledUntilMs,
  };
}
