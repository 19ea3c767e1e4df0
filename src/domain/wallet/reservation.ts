import type { Route } from '../catalog/route';
import type { Ledger } from '../interaction/ledger';
import { worstAttemptCost, type RequestSize, type UnknownCost } from '../interaction/worst-attempt-cost';
import { microUsdOf, type MicroUsd } from '../kernel/money';

/** A wallet that can't cover what an interaction may cost. */
export type Shortfall = Readonly<{
  /** The worst case of the whole interaction: what it has cost so far, and what its next attempt may. */
  requiredMicroUsd: MicroUsd;
  /** What could have been held for it, the part that is held already included. */
  availableMicroUsd: MicroUsd;
}>;

/** What has to be held on top of what is held; 0: nothing. What is held is never given back before the end. */
export function raiseOf(requiredMicroUsd: MicroUsd, heldMicroUsd: MicroUsd): MicroUsd {
  return Math.max(0, requiredMicroUsd - heldMicroUsd);
}

/**
 * What an interaction may have cost in all once its next attempt has ended, rounded up once: what it has cost so far, and
 * the worst case of the next attempt. An attempt whose cost is unknown counts with its own worst case.
 */
export function worstCostAfter(ledger: Ledger, next: Route, size: RequestSize): MicroUsd | UnknownCost {
  let total = worstAttemptCost(next, size);
  if (typeof total !== 'number') return total;
  for (const { costPico, route } of ledger) {
    const cost = costPico ?? worstAttemptCost(route, size);
    if (typeof cost !== 'number') return cost;
    total += cost;
  }
  return microUsdOf(total);
}
