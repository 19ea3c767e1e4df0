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
    throttleUntilMs: later(waitMs === null ? null : endedAtMs + waitMs, attempt.quotaUntilMs ?? null),
  };
}

/** A used-up limit is as good as a Retry-After (HEADERS §3): the later one holds. */
function later(waitMs: number | null, quotaMs: number | null): number | null {
  if (waitMs === null || quotaMs === null) return waitMs ?? quotaMs;
  return Math.max(waitMs, quotaMs);
}
