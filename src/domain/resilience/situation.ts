import type { Route } from '../catalog/route';
import type { Conditions } from '../health/provider-health';
import type { Attempt } from '../interaction/attempt';
import type { Ledger } from '../interaction/ledger';
import type { OfferingId } from '../kernel/ids';
import type { Plan } from '../routing/plan';
import type { Budget } from './budget';
import type { Fault } from './fault';
import type { ReplaySafety } from './replay-safety';

/** Everything that decides what happens next. Equal situations have equal next actions. */
export type Situation = Readonly<{
  plan: Plan;
  ledger: Ledger;
  budget: Budget;
  replaySafety: ReplaySafety;
  /** Facts as of now, not as of planning. */
  conditions: Conditions;
  /** A random number from 0 (included) to 1 (excluded), for the jitter. */
  draw: number;
}>;

/** An attempt that ended with a fault. */
export type FailedAttempt = Readonly<{ route: Route; fault: Fault; endedAtMs: number }>;

/** The attempts that failed, in order. */
export function failures(ledger: Ledger): readonly FailedAttempt[] {
  return ledger.flatMap(({ route, outcome, endedAtMs }) =>
    outcome.kind === 'failed' ? [{ route, fault: outcome.fault, endedAtMs }] : [],
  );
}

/**
 * The attempts that count against the budget and as hops. One that ended before anything was sent, by our own doing, is
 * no upstream call (FAILURES §5); each route can have only one of those, so they are bounded by the plan.
 */
export function counted(ledger: Ledger): readonly Attempt[] {
  return ledger.filter(({ outcome }) => outcome.kind === 'served' || !endedByUs(outcome.fault));
}

/** An unsent request can be the caller's error only by our own judgement. */
function endedByUs({ class: faultClass, requestSent }: Fault): boolean {
  return requestSent === 'no' && (faultClass === 'local' || faultClass === 'caller');
}

/** Every route that has had an attempt; one that was left is never taken again. */
export function triedRoutes(ledger: Ledger): ReadonlySet<OfferingId> {
  return new Set(ledger.map(({ route }) => route.id));
}

/** The failure that decides what may follow: the last one that isn't our own. Undefined: there was none. */
export function decisiveFailure(ledger: Ledger): FailedAttempt | undefined {
  return failures(ledger).findLast(({ fault }) => fault.class !== 'local');
}
