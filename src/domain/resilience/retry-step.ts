import type { PlannedRoute } from '../routing/planned-route';
import { backoffDelayMs } from './backoff';
import { fitsBudget } from './budget';
import { allowedActions } from './matrix';
import { RESET_CODES } from './network-table';
import { isOverCeilingEverywhere } from './route-search';
import type { RouteSearch } from './route-search';
import { failures } from './situation';
import type { FailedAttempt, Situation } from './situation';

/** Another attempt on the same route. */
export type RetryStep = Readonly<{ candidate: PlannedRoute; delayMs: number; trial: boolean }>;

/** The retry that may follow a failure; null: the route has ended. */
export function retryStep(situation: Situation, last: FailedAttempt, search: RouteSearch): RetryStep | null {
  const candidate = situation.plan.candidates.find(({ route }) => route.id === last.route.id);
  if (candidate === undefined || !hasRetryLeft(situation, last, search)) return null;
  if (!situation.conditions.isEnabled(last.route.id)) return null;
  const trial = trialFor(situation, last, search);
  if (trial === 'refused') return null;
  const delayMs = delayBefore(situation, last);
  if (!fitsBudget(situation.budget, situation.conditions.nowMs, delayMs)) return null;
  return { candidate, delayMs, trial: trial === 'needed' };
}

function hasRetryLeft(situation: Situation, last: FailedAttempt, search: RouteSearch): boolean {
  const rule = allowedActions(last.fault).retry;
  if (rule === 'no' || retriesOn(situation, last) >= allowance(situation, search)) return false;
  return rule !== 'once' || !hasHadItsOneRetry(situation, last);
}

/**
 * With a fallback left, few retries come before it. Where the price alone stands against every fallback, the same holds:
 * a refused fallback must not turn into more calls of the primary than the policy allows before one (DESIGN §5).
 */
function allowance({ plan }: Situation, search: RouteSearch): number {
  const { maxRetries, maxRetriesBeforeFallback } = plan.settings.retry;
  const beforeFallback = search.found !== null || isOverCeilingEverywhere(search);
  return beforeFallback ? Math.min(maxRetries, maxRetriesBeforeFallback) : maxRetries;
}

/** Attempts on the route after its first: how many retries it has had. */
function retriesOn({ ledger }: Situation, { route }: FailedAttempt): number {
  return ledger.filter((attempt) => attempt.route.id === route.id).length - 1;
}

/** An earlier fault on this route that may be retried only once has been retried already. */
function hasHadItsOneRetry({ ledger }: Situation, { route }: FailedAttempt): boolean {
  const onRoute = failures(ledger).filter((failure) => failure.route.id === route.id);
  return onRoute.slice(0, -1).some(({ fault }) => allowedActions(fault).retry === 'once');
}

/**
 * An open circuit refuses a retry while another route is eligible. With none, this request may go on as the one that
 * holds the trial slot (DESIGN §5): the breaker must neither end its retries nor let the others through.
 */
function trialFor(
  { conditions }: Situation,
  last: FailedAttempt,
  search: RouteSearch,
): 'none' | 'needed' | 'refused' {
  const { circuit } = conditions.conditionOf(last.route.id);
  if (circuit.state === 'closed') return 'none';
  if (circuit.trialTaken || (circuit.state === 'open' && search.found !== null)) return 'refused';
  return 'needed';
}

/** Retry-After is obeyed as it is; a throttle that somebody else's answer caused is waited for as well. */
function delayBefore(situation: Situation, last: FailedAttempt): number {
  const { plan, conditions, draw } = situation;
  const throttledMs = (conditions.conditionOf(last.route.id).throttledUntilMs ?? 0) - conditions.nowMs;
  return Math.max(ownDelay(), throttledMs);

  function ownDelay(): number {
    const { code, retryAfterMs } = last.fault;
    if (retryAfterMs !== null) return retryAfterMs;
    const wasReset = last.fault.class === 'network' && code !== null && RESET_CODES.includes(code);
    return wasReset ? 0 : backoffDelayMs(plan.settings.retry, retriesOn(situation, last), draw);
  }
}
