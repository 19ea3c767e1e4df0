import type { ModelContract } from '../catalog/model-contract';
import type { Route } from '../catalog/route';
import { refusalNow } from '../routing/gates';
import type { PlannedRoute } from '../routing/planned-route';
import { FAILOVER_CAUSE_OF } from '../routing/policy-settings';
import type { FailoverCause } from '../routing/policy-settings';
import type { RefusalReason } from '../routing/refusal';
import type { Fault } from './fault';
import { holdsMoreContext, isContextLength, mayDoBetter } from './larger-contract';
import { allowedActions } from './matrix';
import type { ChannelRule, ModelRule } from './matrix';
import { decisiveFailure, failures } from './situation';
import type { Situation } from './situation';

/** Why a route other than the current one is looked for. */
export type Departure =
  /** Nothing has failed yet. `refused`: why the primary can't be taken; null: it can, or there is none. */
  | Readonly<{ kind: 'start'; refused: RefusalReason | null }>
  /** `malformedBefore`: an earlier malformed answer has already used up the one fallback for those. */
  | Readonly<{ kind: 'fault'; fault: Fault; from: Route; malformedBefore: boolean }>;

/** `not_allowed`: the matrix has no such action. `not_opted_in`: the policy could have allowed it, and doesn't. */
export type Admission = 'admitted' | 'not_allowed' | 'not_opted_in';

/** A primary that was refused by health or pace is a cause that a policy can list; every other refusal is no fault of anyone. */
const CAUSE_OF_REFUSAL: Partial<Readonly<Record<RefusalReason, FailoverCause>>> = {
  circuit_open: 'circuit_open',
  throttled: 'rate_limited',
  group_rpm: 'rate_limited',
};

/** A local fault is no reason of its own: the route couldn't express the request, so the reason before it still holds. */
export function departureOf({ plan, ledger, conditions }: Situation): Departure {
  const decisive = decisiveFailure(ledger);
  if (decisive === undefined) {
    const refusal = plan.primary === null ? null : refusalNow(plan.primary, conditions);
    return { kind: 'start', refused: refusal?.detail.reason ?? null };
  }
  const malformed = failures(ledger).filter(({ fault }) => fault.class === 'malformed').length;
  const { fault, route: from } = decisive;
  return { kind: 'fault', fault, from, malformedBefore: malformed > (fault.class === 'malformed' ? 1 : 0) };
}

/** Whether the departure may lead to the candidate, before any gate is asked. */
export function admissionOf(
  departure: Departure,
  candidate: PlannedRoute,
  failoverOn: readonly FailoverCause[],
): Admission {
  if (departure.kind === 'fault' && !matrixAllows(departure, candidate)) return 'not_allowed';
  return !candidate.failover || isListed(departure, failoverOn) ? 'admitted' : 'not_opted_in';
}

/** Whether the policy lists what the departure is caused by. A primary that was refused by no one's fault needs no cause. */
function isListed(departure: Departure, failoverOn: readonly FailoverCause[]): boolean {
  if (departure.kind === 'fault') {
    const cause = causeOf(departure.fault);
    return cause !== null && failoverOn.includes(cause);
  }
  const cause = departure.refused === null ? undefined : CAUSE_OF_REFUSAL[departure.refused];
  return cause === undefined || failoverOn.includes(cause);
}

/** The name under which a policy lists a fault; null: no policy can. */
function causeOf(fault: Fault): FailoverCause | null {
  return fault.class === 'contract' && !isContextLength(fault) ? null : FAILOVER_CAUSE_OF[fault.class];
}

type FaultDeparture = Extract<Departure, { kind: 'fault' }>;

const MEETS_RULE: Readonly<
  Record<ChannelRule | ModelRule, (departure: FaultDeparture, offered: ModelContract) => boolean>
> = {
  no: () => false,
  yes: () => true,
  opted_in: () => true,
  planned: () => true,
  once: ({ malformedBefore }) => !malformedBefore,
  once_opted_in: ({ malformedBefore }) => !malformedBefore,
  larger_contract: ({ fault, from }, offered) => mayDoBetter(fault, from.contract, offered),
  larger_context: ({ fault, from }, offered) =>
    isContextLength(fault) && holdsMoreContext(from.contract, offered),
};

function matrixAllows(departure: FaultDeparture, candidate: PlannedRoute): boolean {
  const allowed = allowedActions(departure.fault);
  const move = kindOfMove(candidate, departure.from);
  const rule = move === 'model_fallback' ? allowed.modelFallback : allowed.channelFallback;
  return MEETS_RULE[rule](departure, candidate.route.contract);
}

/** A fallback is what the plan calls it. A primary that is taken late is measured against the route that is left. */
export function kindOfMove(candidate: PlannedRoute, from: Route): 'channel_fallback' | 'model_fallback' {
  if (candidate.relation !== 'primary') return candidate.relation;
  return candidate.route.model === from.model ? 'channel_fallback' : 'model_fallback';
}
