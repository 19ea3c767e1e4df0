import type { FallbackReason } from '../../domain/interaction/fallback-reason';
import type { FinalState } from '../../domain/interaction/interaction';
import type { Setting } from '../port/rehearsal-stage';
import type { Course, ExpectedAttempt } from './course';
import { FAULT_RULES, type FaultOutcome } from './fault-rule';
import type { Rung } from './ladder';

/** What must be seen of one request. */
export type Expectation = Readonly<{
  /** Of the response; null: the caller has left before there was one. */
  status: number | null;
  /** Public code of the error, in a body or in an error event; null: none. */
  code: string | null;
  /** Of the audit record; null: there must be no record, because nothing was admitted. */
  state: FinalState | null;
  attempts: readonly ExpectedAttempt[];
  served: Rung | null;
  fallbackReason: FallbackReason | null;
  /** What the answer's `model` must say; null: not looked at. */
  model: string | null;
  stream: 'none' | 'complete' | 'broken';
}>;

type Delivery = Readonly<{ setting: Setting; ladder: readonly Rung[]; stream: boolean }>;

/** The end to which a course of attempts must lead (DESIGN §6 "Exhausted", §8). */
export function expectationOf(course: Course, delivery: Delivery): Expectation {
  const outcome = course.attempts.at(-1)?.outcome;
  if (outcome === undefined) return refusal(delivery);
  if (outcome === 'served') return answer(course, delivery);
  return { ...ENDINGS[outcome](course), attempts: course.attempts, ...NOTHING_SERVED };
}

const NOTHING_SERVED = { served: null, fallbackReason: null, model: null } as const;

type Ending = Pick<Expectation, 'status' | 'code' | 'state' | 'stream'>;

/** One row per way to end without a complete answer. */
const ENDINGS: Readonly<Record<FaultOutcome, (course: Course) => Ending>> = {
  server_error: exhausted,
  network: exhausted,
  rate_limited: exhausted,
  // The provider's own error is returned as it is, so its code is the provider's matter.
  caller: () => ({ status: 400, code: null, state: 'failed', stream: 'none' }),
  partial: () => ({ status: 200, code: 'provider_failed', state: 'partial', stream: 'broken' }),
  cancelled: () => ({ status: null, code: null, state: 'cancelled', stream: 'none' }),
};

function exhausted({ attempts, priceStoodAlone }: Course): Ending {
  const routes = new Map(attempts.map(({ route, outcome }) => [route.id, outcome]));
  const failed = { state: 'failed', stream: 'none' } as const;
  if (priceStoodAlone && routes.size === 1) return { ...failed, status: 502, code: 'fallback_cost_ceiling' };
  const allLimited = [...routes.values()].every((outcome) => outcome === 'rate_limited');
  return allLimited
    ? { ...failed, status: 429, code: 'rate_limit_exceeded' }
    : { ...failed, status: 502, code: 'provider_failed' };
}

/** No route may be asked at all. */
function refusal({ ladder }: Delivery): Expectation {
  const barriers = ladder.flatMap(({ barrier }) =>
    barrier === 'contract' || barrier === 'cost' ? [barrier] : [],
  );
  const mismatch = barriers.length > 0 && barriers.every((barrier) => barrier === 'contract');
  const dear = !mismatch && barriers.includes('cost');
  const status = mismatch ? 400 : dear ? 502 : 503;
  const code = mismatch ? 'unsupported_parameter' : dear ? 'fallback_cost_ceiling' : 'no_eligible_route';
  return { status, code, state: 'refused', attempts: [], stream: 'none', ...NOTHING_SERVED };
}

function answer(course: Course, { setting, ladder, stream }: Delivery): Expectation {
  const served = course.last;
  const primary = ladder.find(({ role }) => role === 'primary') ?? null;
  const fallbackReason = served?.failover === true ? reasonOf(course, primary) : null;
  return {
    status: 200,
    code: null,
    state: 'served',
    attempts: course.attempts,
    served,
    fallbackReason,
    model: served === null ? null : modelSaid(served, primary, fallbackReason, setting),
    stream: stream ? 'complete' : 'none',
  };
}

/** The primary's last fault names the reason; there always is one (ADR 0008). */
function reasonOf({ attempts }: Course, primary: Rung | null): FallbackReason | null {
  const last = attempts.findLast(({ route }) => route.id === primary?.route.id);
  if (last === undefined) return 'primary_not_eligible';
  return last.outcome === 'served' ? null : FAULT_RULES[last.outcome].reason;
}

function modelSaid(
  { route }: Rung,
  primary: Rung | null,
  reason: FallbackReason | null,
  { policy, requestedModel }: Setting,
): string {
  const plain = policy.policy.settings.responseModel === 'served';
  const substituted = reason !== null && primary !== null && primary.route.model !== route.model;
  return plain || !substituted
    ? route.model
    : `${requestedModel}→${route.model} (fallback: ${primary.route.model})`;
}
