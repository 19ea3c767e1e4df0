import type { Problem } from '../../../../domain/error/gateway-error';
import type { JsonObject } from '../../../../domain/kernel/json';
import type { FaultCourse, Outlook } from '../../../../domain/resilience/fault-course';
import type { NextAction } from '../../../../domain/resilience/next-action';
import type { WorstCase } from '../../../../domain/resilience/worst-case';
import { costRatio } from '../../../../domain/routing/cost-ceiling';
import type { Plan } from '../../../../domain/routing/plan';
import type { PlannedRoute } from '../../../../domain/routing/planned-route';
import type { Explanation } from '../../../../usecase/routing/explanation';
import { presentErrorAlone } from '../../error/error-presenter';
import { presentPrice, presentRefusal } from '../../error/refusal-presenter';
import { presentPii } from '../pii-presenter';

/** What would happen, for machines and consoles; the command line prints the same as a table. */
export function presentExplanation(explanation: Explanation): JsonObject {
  const { plan, byDraft, draftCheck, request, first, faults, worstCase } = explanation;
  return {
    policy: plan.policy === null ? null : { ...plan.policy, draft: byDraft },
    problems: (draftCheck?.problems ?? []).map(presentProblem),
    warnings: (draftCheck?.warnings ?? []).map(presentProblem),
    requested_model: plan.requestedModel,
    stream: request.stream,
    canary: plan.canary,
    pii: presentPii(plan.pii?.findings ?? null),
    routes: plan.candidates.map((candidate) => presentRoute(candidate, plan)),
    first: presentNext(first),
    refusals: first.refusals.map(presentRefusal),
    faults: faults.map(presentFault),
    worst_case: presentWorstCase(explanation, worstCase),
  };
}

function presentProblem({ field, message }: Problem): JsonObject {
  return { field, message };
}

function presentRoute(candidate: PlannedRoute, plan: Plan): JsonObject {
  const { route, relation, failover } = candidate;
  const base = plan.primary?.route.price ?? null;
  const refusal = plan.refusals.find((one) => one.route.id === route.id);
  return {
    offering: route.id,
    provider: route.provider,
    channel: route.channel.id,
    region: route.channel.region,
    group: route.channel.group,
    model: route.model,
    upstream_name: route.upstreamName,
    relation,
    failover,
    price: route.price === null ? null : presentPrice(route.price),
    cost_ratio: base === null || route.price === null ? null : costRatio(base, route.price),
    refused: refusal?.detail.reason ?? null,
  };
}

/** An attempt on a route, or the error that the caller would get. */
function presentNext(next: NextAction): JsonObject {
  if (next.kind === 'stop') return { action: 'stop', error: presentStop(next) };
  const { id, provider, channel, model } = next.candidate.route;
  const { action, delayMs } = next;
  return { action, offering: id, provider, channel: channel.id, model, delay_ms: delayMs };
}

function presentStop({ error }: Extract<NextAction, { kind: 'stop' }>): JsonObject | null {
  return error === null ? null : presentErrorAlone(error);
}

function presentFault({ cause, soonest, latest }: FaultCourse): JsonObject {
  const [first, other] = [presentNext(soonest.then), presentNext(latest.then)];
  return {
    cause,
    retries: { min: latest.waitsMs.length, max: soonest.waitsMs.length },
    waits_ms: soonest.waitsMs.map((min, index) => ({ min, max: latest.waitsMs[index] ?? null })),
    then: first,
    then_after_longest_waits: isSameStep(soonest.then, latest.then) ? null : other,
    if_every_route_fails: presentEnd(soonest),
  };
}

function isSameStep(one: NextAction, other: NextAction): boolean {
  if (one.kind === 'stop' || other.kind === 'stop') return one.kind === other.kind;
  return one.candidate.route.id === other.candidate.route.id;
}

function presentEnd({ attempts, end }: Outlook): JsonObject | null {
  if (end === null) return null;
  const offerings = [...new Set(attempts.map(({ candidate }) => candidate.route.id))];
  return { attempts: attempts.length, offerings, error: presentStop(end) };
}

function presentWorstCase(
  { request, reservationMicroUsd }: Explanation,
  { attempts, cost, time }: WorstCase,
): JsonObject {
  return {
    attempts,
    estimated_input_tokens: request.needs.estimatedInputTokens,
    cost_micro_usd: cost.kind === 'known' ? cost.costMicroUsd : null,
    reservation_micro_usd: reservationMicroUsd,
    cost_unknown:
      cost.kind === 'known' ? null : { reason: cost.reason, offerings: cost.routes.map(({ id }) => id) },
    time_ms: time.totalMs,
    deadline_ms: time.deadlineMs,
  };
}
