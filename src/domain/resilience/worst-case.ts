import type { Route } from '../catalog/route';
import { worstAttemptCost } from '../interaction/worst-attempt-cost';
import type { RequestSize, UnknownCost } from '../interaction/worst-attempt-cost';
import { microUsdOf } from '../kernel/money';
import type { MicroUsd } from '../kernel/money';
import type { OfferingId } from '../kernel/ids';
import { worstToll } from './adversary';
import type { Search, Toll } from './adversary';
import { backoffDelayMs, LARGEST_DRAW } from './backoff';
import { headersLimitMs } from './hypothesis';
import type { Hypothesis, Moment } from './hypothesis';
import type { NextAttempt } from './next-action';

/** The most that an interaction could come to, whatever its attempts fail for and however health changes meanwhile. */
export type WorstCase = Readonly<{
  attempts: number;
  cost: WorstCost;
  time: WorstTime;
}>;

export type WorstCost =
  | Readonly<{ kind: 'known'; costMicroUsd: MicroUsd }>
  /** `routes`: those that could be asked and whose cost is unknown or has no bound. */
  | Readonly<{ kind: 'unknown'; reason: UnknownCost; routes: readonly Route[] }>;

/**
 * Until the first output or the error, milliseconds: every attempt silent until its limits, every wait at its longest.
 * Only the deadline bounds an answer that keeps coming, an upstream that sends pings, or a provider that asks for more
 * patience.
 */
export type WorstTime = Readonly<{ totalMs: number; deadlineMs: number }>;

export type SampleSize = RequestSize & Readonly<{ form: 'whole' | 'stream' }>;

/** The worst case of an interaction that begins as the request would now. */
export function worstCaseOf(hypothesis: Hypothesis, beginning: Moment, size: SampleSize): WorstCase {
  const { budget } = hypothesis;
  const reached = new Map<OfferingId, Route>();
  const temptation = {
    tollOf: (moment: Moment, next: NextAttempt) => tollOf(hypothesis, size, moment, next),
    lures: dearestOf(hypothesis, size),
  };
  const search: Search = { hypothesis, beginning, temptation, known: new Map(), reached };
  const { attempts, costPico, durationMs } = worstToll(search);
  const deadlineMs = budget.deadlineAtMs - budget.openedAtMs;
  return {
    attempts,
    cost: unknownCostOf([...reached.values()], size) ?? {
      kind: 'known',
      costMicroUsd: microUsdOf(costPico),
    },
    time: { totalMs: Math.min(deadlineMs, durationMs), deadlineMs },
  };
}

function tollOf(hypothesis: Hypothesis, size: SampleSize, { ledger }: Moment, next: NextAttempt): Toll {
  const { timeouts, retry } = hypothesis.plan.settings;
  const { route } = next.candidate;
  const cost = worstAttemptCost(route, size);
  const retriesBefore = ledger.filter((attempt) => attempt.route.id === route.id).length - 1;
  const backoffMs = next.action === 'retry' ? backoffDelayMs(retry, retriesBefore, LARGEST_DRAW) : 0;
  const silenceMs = headersLimitMs(hypothesis, size.form) + timeouts.idleMs;
  return {
    attempts: 1,
    costPico: typeof cost === 'number' ? cost : 0,
    durationMs: Math.max(backoffMs, next.delayMs) + silenceMs,
  };
}

/** As many of the dearest routes as there are hops; what can't be known is dearer than anything. */
function dearestOf({ plan }: Hypothesis, size: SampleSize): readonly OfferingId[] {
  const costOf = (route: Route): number => {
    const cost = worstAttemptCost(route, size);
    return typeof cost === 'number' ? cost : Number.MAX_VALUE;
  };
  return plan.candidates
    .filter(({ refusal }) => refusal === null)
    .map(({ route }) => ({ id: route.id, cost: costOf(route) }))
    .toSorted((one, other) => other.cost - one.cost)
    .slice(0, plan.settings.maxHops)
    .map(({ id }) => id);
}

function unknownCostOf(routes: readonly Route[], size: SampleSize): WorstCost | null {
  for (const reason of ['price_unknown', 'output_unbounded'] as const) {
    const unknown = routes.filter((route) => worstAttemptCost(route, size) === reason);
    if (unknown.length > 0) return { kind: 'unknown', reason, routes: unknown };
  }
  return null;
}
