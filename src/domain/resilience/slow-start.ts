import type { Attempt, AttemptStart } from '../interaction/attempt';
import { append } from '../interaction/ledger';
import { NO_USAGE } from '../interaction/usage';
import { classify } from './fault';
import { nextAction } from './next-action';
import type { Situation } from './situation';

/**
 * Whether a running attempt that has said nothing yet is worth ending for another route (DESIGN §4, `ttft_failover_ms`):
 * what would follow if it ended now for that reason. A wait, or the end, is worth less than an answer that may yet come.
 */
export function leadsElsewhere(situation: Situation, running: AttemptStart): boolean {
  const ended = endedForSlowness(running, situation.conditions.nowMs);
  const next = nextAction({ ...situation, ledger: append(situation.ledger, ended) });
  return next.kind === 'attempt' && next.delayMs === 0 && next.candidate.route.id !== running.route.id;
}

/** Of what the attempt has seen, only that it is slow bears on what may follow. */
function endedForSlowness(running: AttemptStart, nowMs: number): Attempt {
  const fault = classify({ kind: 'aborted', by: 'ttft_timeout' }, { stage: 'before_output', nowMs });
  return {
    ...running,
    headersAtMs: null,
    firstOutputAtMs: null,
    endedAtMs: nowMs,
    status: null,
    upstreamRequestId: null,
    outcome: { kind: 'failed', fault },
    usage: NO_USAGE,
    costPico: null,
    ignoredParams: [],
  };
}
