import { refusalNow } from '../routing/gates';
import type { PlannedRoute } from '../routing/planned-route';
import { failures } from './situation';
import type { Situation } from './situation';

/** How soon to ask again while somebody else's trial runs, milliseconds: nobody knows its end, and most last seconds. */
const TRIAL_WAIT_MS = 1_000;

/** The time until a route of the plan may be asked again, milliseconds, at least 1; null: waiting helps nothing. */
export function shortestWaitMs(situation: Situation): number | null {
  const { plan, ledger, conditions } = situation;
  const asked = failures(ledger).flatMap(({ fault, endedAtMs }) =>
    fault.retryAfterMs === null ? [] : [endedAtMs + fault.retryAfterMs - conditions.nowMs],
  );
  const waits = [...plan.candidates.flatMap((candidate) => waitOf(candidate, situation)), ...asked];
  return waits.length === 0 ? null : Math.max(1, Math.min(...waits));
}

function waitOf(candidate: PlannedRoute, { conditions }: Situation): readonly number[] {
  const detail = refusalNow(candidate, conditions)?.detail;
  if (detail?.reason === 'group_rpm') return [detail.retryAfterMs];
  if (detail?.reason !== 'circuit_open' && detail?.reason !== 'throttled') return [];
  return [detail.untilMs === null ? TRIAL_WAIT_MS : detail.untilMs - conditions.nowMs];
}
