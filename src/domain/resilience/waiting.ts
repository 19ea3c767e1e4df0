import type { Conditions } from '../health/provider-health';
import { refusalNow } from '../routing/gates';
import type { PlannedRoute } from '../routing/planned-route';
import { fitsBudget } from './budget';
import { hasHopLeft, takesTrial } from './route-search';
import type { RouteSearch } from './route-search';
import { decisiveFailure, triedRoutes } from './situation';
import type { Situation } from './situation';

/** An attempt on another route, now or after a wait. */
export type RouteStep = Readonly<{ candidate: PlannedRoute; delayMs: number; trial: boolean }>;

/** The throttled route whose wait is over first, if that is in time; null: no throttle is all that stands in the way. */
export function afterThrottle(situation: Situation, search: RouteSearch): RouteStep | null {
  const { budget, conditions } = situation;
  const steps = search.refused.flatMap(({ candidate, refusal }) =>
    refusal.detail.reason === 'throttled'
      ? [
          {
            candidate,
            delayMs: refusal.detail.untilMs - conditions.nowMs,
            trial: takesTrial(candidate, conditions),
          },
        ]
      : [],
  );
  const soonest = Math.min(...steps.map(({ delayMs }) => delayMs));
  const step = steps.find(({ delayMs }) => delayMs === soonest);
  return step !== undefined && fitsBudget(budget, conditions.nowMs, soonest) ? step : null;
}

/**
 * The primary behind its open circuit, for a request that has no other route and that nobody has failed yet; null: another
 * request holds the one trial slot, or it isn't the circuit that stands in the way (DESIGN §5).
 */
export function lastResort(situation: Situation, search: RouteSearch): RouteStep | null {
  const { plan, ledger, budget, conditions } = situation;
  const { primary } = plan;
  if (primary === null || search.found !== null || decisiveFailure(ledger) !== undefined) return null;
  if (!hasHopLeft(situation) || triedRoutes(ledger).has(primary.route.id)) return null;
  if (!isTrialFree(primary, conditions)) return null;
  const { throttledUntilMs } = conditions.conditionOf(primary.route.id);
  const delayMs = Math.max(0, (throttledUntilMs ?? 0) - conditions.nowMs);
  return fitsBudget(budget, conditions.nowMs, delayMs) ? { candidate: primary, delayMs, trial: true } : null;
}

/** Whether nothing but the circuit refuses the route, and nobody holds its trial slot. */
function isTrialFree(candidate: PlannedRoute, conditions: Conditions): boolean {
  const { circuit } = conditions.conditionOf(candidate.route.id);
  if (refusalNow(candidate, conditions)?.detail.reason !== 'circuit_open') return false;
  return circuit.state !== 'closed' && !circuit.trialTaken;
}
