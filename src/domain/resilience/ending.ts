import type { GatewayError } from '../error/gateway-error';
import type { FinalState } from '../interaction/interaction';
import type { Refusal } from '../routing/refusal';
import { errorOfFault } from './final-error';
import type { Fault } from './fault';
import { unattemptedError } from './unattempted-error';
import { isOverCeilingEverywhere } from './route-search';
import type { RouteSearch } from './route-search';
import { shortestWaitMs } from './shortest-wait';
import { counted, decisiveFailure, failures } from './situation';
import type { FailedAttempt, Situation } from './situation';

/** How an interaction ends, and what its caller is told; null: an answer, or nobody is there to be told. */
export type Ending = Readonly<{ state: FinalState; error: GatewayError | null }>;

/** The end of an interaction in which nothing more may be done. */
export function endingOf(situation: Situation, search: RouteSearch, refusals: readonly Refusal[]): Ending {
  const failed = failures(situation.ledger);
  const last = failed.at(-1);
  if (last === undefined) return { state: 'refused', error: unattemptedError(situation, search, refusals) };
  if (last.fault.class === 'cancelled') return cancelled(last.fault);
  const decisive = endsByItself(last.fault)
    ? last
    : (decisiveFailure(situation.ledger) ?? spokenLocal(failed, last));
  return { state: stateOf(decisive.fault), error: errorAfter(decisive, situation, search, refusals) };
}

/** A local fault after the commit boundary is what broke the answer, whatever came before. */
function endsByItself(fault: Fault): boolean {
  return fault.class !== 'local' || fault.stage === 'after_output';
}

/** Where every route had a local fault, the caller is best served by one that names the field. */
function spokenLocal(failed: readonly FailedAttempt[], last: FailedAttempt): FailedAttempt {
  return failed.find(({ fault }) => fault.param !== null) ?? last;
}

function cancelled(fault: Fault): Ending {
  if (fault.abortedBy !== 'shutdown') return { state: 'cancelled', error: null };
  return { state: stateOf({ ...fault, class: 'server_error' }), error: { code: 'shutting_down' } };
}

/** A refusal by the model or its filter is the answer, even one that came late (FAILURES §5, row 8). */
function stateOf(fault: Fault): FinalState {
  if (fault.class === 'refusal') return 'served';
  return fault.stage === 'after_output' ? 'partial' : 'failed';
}

function errorAfter(
  decisive: FailedAttempt,
  situation: Situation,
  search: RouteSearch,
  refusals: readonly Refusal[],
): GatewayError {
  const attempts = counted(situation.ledger);
  const retryAfterMs = shortestWaitMs(situation);
  // "Every possible fallback" was refused by its price only if none has been tried.
  const neverLeftPrimary = new Set(attempts.map(({ route }) => route.id)).size === 1;
  if (neverLeftPrimary && isOverCeilingEverywhere(search)) return { code: 'fallback_cost_ceiling', refusals };
  if (areAllRateLimited(situation)) return { code: 'rate_limit_exceeded', retryAfterMs, refusals };
  return errorOfFault(decisive, { attempts: attempts.length, retryAfterMs, refusals });
}

/** Whether every route that was asked ended by asking for patience; one that couldn't express the request wasn't asked. */
function areAllRateLimited({ ledger }: Situation): boolean {
  const asked = failures(ledger).filter(({ fault }) => fault.class !== 'local');
  const lastOfRoute = [...new Map(asked.map(({ route, fault }) => [route.id, fault])).values()];
  return lastOfRoute.length > 0 && lastOfRoute.every((fault) => fault.class === 'rate_limited');
}
