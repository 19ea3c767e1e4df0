import type { ClosingRecord, OpeningRecord, ServedRef } from '../../domain/audit/audit-record';
import type { AttemptStart } from '../../domain/interaction/attempt';
import { interactionCost } from '../../domain/interaction/cost';
import { lastAttempt } from '../../domain/interaction/ledger';
import { NO_USAGE } from '../../domain/interaction/usage';
import type { MicroUsd } from '../../domain/kernel/money';
import { mergeRefusals, type NextStop } from '../../domain/resilience/next-action';
import type { Refusal } from '../../domain/routing/refusal';
import type { SealedAnswer } from '../port/idempotency-secrets';
import type { InteractionCourse } from './interaction-course';

/** The opening row: who asked for what, and what may be done about it. */
export function openingOf(
  course: InteractionCourse,
  firstAttempt: AttemptStart | null,
  reservationMicroUsd: MicroUsd | null,
): OpeningRecord {
  const { chat, plan, budget } = course;
  return {
    requestId: chat.requestId,
    tenant: chat.tenant.id,
    billableId: course.key?.billableId ?? chat.requestId,
    apiKey: chat.key.id,
    openedAtMs: chat.receivedAtMs,
    deadlineAtMs: budget.deadlineAtMs,
    requestedModel: plan.requestedModel,
    stream: chat.request.stream,
    policy: plan.policy,
    canary: plan.canary,
    pii: plan.pii?.findings ?? null,
    planned: plan.candidates.map(({ route }) => ({
      id: route.id,
      provider: route.provider,
      model: route.model,
    })),
    refusals: plan.refusals,
    service: chat.options.service,
    feature: chat.options.feature,
    parentRequestId: chat.options.parentRequestId,
    clientRetryCount: chat.options.clientRetryCount,
    // A refusal calls nobody, so it leaves the key to whoever comes next.
    idempotency: firstAttempt === null ? null : (course.key?.claim ?? null),
    firstAttempt,
    reservationMicroUsd,
  };
}

/** The closing row: what came of it, and what it cost. An unknown cost may be all that is held for it. */
export function closingOf(
  course: InteractionCourse,
  stop: NextStop,
  nowMs: number,
  sealedAnswer: SealedAnswer | undefined,
): ClosingRecord {
  const last = lastAttempt(course.ledger) ?? null;
  return {
    requestId: course.chat.requestId,
    state: stop.state,
    closedAtMs: nowMs,
    errorCode: stop.error?.code ?? null,
    served: servedRef(course),
    fallbackReason: course.served?.facts.failover?.reason ?? null,
    refusals: refusalsOf(course, stop),
    attempts: course.ledger.length,
    usage: last?.usage ?? NO_USAGE,
    costMicroUsd: interactionCost(course.ledger) ?? course.heldMicroUsd,
    lastAttempt: last,
    sealedAnswer,
  };
}

function refusalsOf({ outpaced }: InteractionCourse, { refusals }: NextStop): readonly Refusal[] {
  return outpaced.length === 0 ? refusals : mergeRefusals(outpaced, refusals);
}

function servedRef(course: InteractionCourse): ServedRef | null {
  const route = lastAttempt(course.ledger)?.route;
  if (course.served === null || route === undefined) return null;
  return { route: route.id, provider: route.provider, model: route.model, upstreamName: route.upstreamName };
}
