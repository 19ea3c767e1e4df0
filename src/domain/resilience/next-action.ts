import type { AttemptAction } from '../interaction/attempt';
import { lastAttempt } from '../interaction/ledger';
import type { Refusal } from '../routing/refusal';
import type { PlannedRoute } from '../routing/planned-route';
import { fitsBudget, MAX_ATTEMPTS } from './budget';
import { kindOfMove } from './departure';
import { endingOf } from './ending';
import type { Ending } from './ending';
import { mergeRefusals, refusalsMet } from './refusals-met';
import { mayReplay } from './replay-safety';
import { retryStep } from './retry-step';
import { searchRoute, takesTrial } from './route-search';
import type { RouteSearch } from './route-search';
import { counted, failures } from './situation';
import type { Situation } from './situation';
import { afterThrottle, lastResort } from './waiting';
import type { RouteStep } from './waiting';

export { mergeRefusals };
export type { Situation } from './situation';

/** `refusals`: every route that was left out, from planning until now, one refusal per route. */
export type NextAction = NextAttempt | NextStop;

export type NextAttempt = Readonly<{
  kind: 'attempt';
  action: AttemptAction;
  candidate: PlannedRoute;
  /** To be waited before it, milliseconds. */
  delayMs: number;
  /** It takes the trial slot of the route's circuit. */
  trial: boolean;
  refusals: readonly Refusal[];
}>;

export type NextStop = Ending & Readonly<{ kind: 'stop'; refusals: readonly Refusal[] }>;

const NO_ROUTE: RouteSearch = { found: null, refused: [] };

/**
 * What happens next: total, and equal for equal situations. An empty ledger gives the first action. The order after a
 * fault that allows it: a retry, after the provider's wait or our own; the next channel; the next model; the end.
 */
export function nextAction(situation: Situation): NextAction {
  const last = lastAttempt(situation.ledger);
  if (last?.outcome.kind === 'served') {
    return { kind: 'stop', state: 'served', error: null, refusals: refusalsMet(situation, NO_ROUTE) };
  }
  if (isOver(situation)) return stop(situation, NO_ROUTE);
  const search = searchRoute(situation);
  return retry(situation, search) ?? move(situation, search) ?? stop(situation, search);
}

/** The three gates before any replay that hold for every route: stage, replay safety, number of attempts. */
function isOver({ ledger, replaySafety }: Situation): boolean {
  const last = failures(ledger).at(-1);
  if (last === undefined) return false;
  return !mayReplay(replaySafety, last.fault) || counted(ledger).length >= MAX_ATTEMPTS;
}

function retry(situation: Situation, search: RouteSearch): NextAttempt | null {
  const last = failures(situation.ledger).at(-1);
  const step = last === undefined ? null : retryStep(situation, last, search);
  // What stands against other routes is no refusal yet: none of them was to be taken.
  return step === null ? null : attempt('retry', step, refusalsMet(situation, NO_ROUTE));
}

function move(situation: Situation, search: RouteSearch): NextAttempt | null {
  const step = stepTo(situation, search) ?? afterThrottle(situation, search) ?? lastResort(situation, search);
  return step === null
    ? null
    : attempt(nameOfMove(situation, step.candidate), step, refusalsMet(situation, search));
}

function stepTo({ budget, conditions }: Situation, { found }: RouteSearch): RouteStep | null {
  if (found === null || !fitsBudget(budget, conditions.nowMs, 0)) return null;
  return { candidate: found, delayMs: 0, trial: takesTrial(found, conditions) };
}

/** The first attempt on a fallback is named after the fallback: only the primary's is the initial one. */
function nameOfMove({ ledger }: Situation, candidate: PlannedRoute): AttemptAction {
  const last = lastAttempt(ledger);
  if (last !== undefined) return kindOfMove(candidate, last.route);
  return candidate.relation === 'primary' ? 'initial' : candidate.relation;
}

function attempt(action: AttemptAction, step: RouteStep, refusals: readonly Refusal[]): NextAttempt {
  return { kind: 'attempt', action, ...step, refusals };
}

function stop(situation: Situation, search: RouteSearch): NextStop {
  const refusals = refusalsMet(situation, search);
  return { kind: 'stop', ...endingOf(situation, search, refusals), refusals };
}
