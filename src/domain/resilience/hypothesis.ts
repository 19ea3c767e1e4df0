import { routesAtChannel } from '../catalog/catalog';
import type { Catalog } from '../catalog/catalog';
import type { Route } from '../catalog/route';
import { observationOf } from '../health/attempt-observation';
import type { BreakerSettings } from '../health/circuit-breaker';
import { conditionsAt } from '../health/conditions-at';
import { admit, admitAsLastResort, freshHealth, observe, openedUntil } from '../health/route-health';
import type { RouteHealth } from '../health/route-health';
import type { Attempt } from '../interaction/attempt';
import { append } from '../interaction/ledger';
import type { Ledger } from '../interaction/ledger';
import { NO_USAGE } from '../interaction/usage';
import type { OfferingId } from '../kernel/ids';
import type { FullGroups } from '../rate/full-groups';
import type { Plan } from '../routing/plan';
import type { Budget } from './budget';
import { classify } from './fault';
import type { Stage } from './fault';
import { nextAction } from './next-action';
import type { NextAction, NextAttempt } from './next-action';
import type { ReplaySafety } from './replay-safety';
import type { Signal } from './signal';

/** An interaction that nobody has begun, and what would decide its course. */
export type Hypothesis = Readonly<{
  plan: Plan;
  budget: Budget;
  replaySafety: ReplaySafety;
  catalog: Catalog;
  breaker: BreakerSettings;
}>;

/** How far it would have come. */
export type Moment = Readonly<{
  nowMs: number;
  ledger: Ledger;
  /** Routes that aren't named were never used. */
  health: ReadonlyMap<OfferingId, RouteHealth>;
  fullGroups: FullGroups;
}>;

/** How an attempt would fail: it sees the signal after `lastsMs`, unless the deadline ends it before. */
export type Mishap = Readonly<{ signal: Signal; stage: Exclude<Stage, 'after_output'>; lastsMs: number }>;

/** What would happen next, decided as for a real interaction. */
export function decide(hypothesis: Hypothesis, moment: Moment, draw: number): NextAction {
  const { plan, budget, replaySafety, catalog, breaker } = hypothesis;
  const { fullGroups } = moment;
  const observed = { catalog, breaker, fullGroups, healthOf: (route: OfferingId) => healthAt(moment, route) };
  const conditions = conditionsAt(observed, moment.nowMs);
  return nextAction({ plan, ledger: moment.ledger, budget, replaySafety, conditions, draw });
}

/** The moment after an attempt that failed, with what its failure teaches about its route. */
export function suffer(hypothesis: Hypothesis, moment: Moment, next: NextAttempt, mishap: Mishap): Moment {
  const attempt = failedAttempt(hypothesis, moment, next, mishap);
  const { route, startedAtMs, endedAtMs } = attempt;
  const { breaker } = hypothesis;
  const ask = next.trial ? admitAsLastResort : admit;
  const admission = ask(healthAt(moment, route.id), startedAtMs, breaker);
  const observation = observationOf(attempt, admission.health.breaker.generation);
  const health = new Map(moment.health);
  health.set(route.id, observe(admission.health, observation, endedAtMs, breaker));
  if (observation.outcome === 'account_fault') {
    for (const other of routesAtChannel(hypothesis.catalog, route.channel.id)) {
      health.set(other, openedUntil(health.get(other) ?? freshHealth(), endedAtMs + breaker.openMs));
    }
  }
  return { ...moment, nowMs: endedAtMs, ledger: append(moment.ledger, attempt), health };
}

/** The time that a response's headers may take, milliseconds. */
export function headersLimitMs({ plan }: Hypothesis, form: 'whole' | 'stream'): number {
  const { headersMs, streamHeadersMs } = plan.settings.timeouts;
  return form === 'stream' ? streamHeadersMs : headersMs;
}

function failedAttempt(
  { budget }: Hypothesis,
  { nowMs, ledger }: Moment,
  next: NextAttempt,
  { signal, stage, lastsMs }: Mishap,
): Attempt {
  const route: Route = next.candidate.route;
  const startedAtMs = nowMs + next.delayMs;
  const cut = startedAtMs + lastsMs >= budget.deadlineAtMs;
  const endedAtMs = cut ? budget.deadlineAtMs : startedAtMs + lastsMs;
  const seen: Signal = cut ? { kind: 'aborted', by: 'deadline' } : signal;
  return {
    number: ledger.length + 1,
    action: next.action,
    route,
    startedAtMs,
    backoffMs: next.delayMs,
    trial: next.trial,
    headersAtMs: null,
    firstOutputAtMs: null,
    endedAtMs,
    status: null,
    upstreamRequestId: null,
    outcome: { kind: 'failed', fault: classify(seen, { stage, nowMs: endedAtMs }) },
    usage: NO_USAGE,
    costPico: null,
    ignoredParams: [],
  };
}

function healthAt({ health }: Moment, route: OfferingId): RouteHealth {
  return health.get(route) ?? freshHealth();
}
