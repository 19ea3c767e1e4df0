import type { Attempt } from '../interaction/attempt';
import { healthOutcomeOf } from './health-outcome';
import type { Observation } from './route-health';

/** What a finished attempt says of its route. `generation`: of the permission under which it was made. */
export function observationOf(attempt: Attempt, generation: number): Observation {
  const { outcome, startedAtMs, firstOutputAtMs, endedAtMs } = attempt;
  const fault = outcome.kind === 'failed' ? outcome.fault : null;
  const waitMs = fault?.class === 'rate_limited' ? fault.retryAfterMs : null;
  return {
    outcome: healthOutcomeOf(fault),
    generation,
    latencyMs: firstOutputAtMs === null ? null : firstOutputAtMs - startedAtMs,
    totalMs: fault === null ? endedAtMs - startedAtMs : null,
    throttleUntilMs: waitMs === null ? null : endedAtMs + waitMs,
  };
}
