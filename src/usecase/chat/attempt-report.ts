import type { ChatAnswer } from '../../domain/chat/chat-answer';
import type { Attempt, AttemptOutcome } from '../../domain/interaction/attempt';
import { attemptCost } from '../../domain/interaction/cost';
import type { ServedFacts } from '../../domain/interaction/served-facts';
import { failedUsage, servedUsage } from '../../domain/interaction/usage-estimate';
import { classify, type Stage } from '../../domain/resilience/fault';
import type { AbortCause, Signal } from '../../domain/resilience/signal';
import type { StreamTally } from '../../domain/stream/stream-tally';
import type { ReplyHead } from '../port/chat-provider';
import type { AttemptOrder } from './attempt-order';

/** What happened during an attempt, as it was seen. */
export type Course = Readonly<{
  head: ReplyHead | null;
  headersAtMs: number | null;
  firstOutputAtMs: number | null;
  /** Null: the answer is complete. */
  failure: Signal | null;
  tally: StreamTally;
  /** The whole answer of an unstreamed request. */
  answer: ChatAnswer | null;
  ignoredParams: readonly string[];
}>;

export type AttemptEnd = Readonly<{ abortedBy: AbortCause | null; endedAtMs: number }>;

export type AttemptReport = Readonly<{ attempt: Attempt; answer: ChatAnswer | null; facts: ServedFacts }>;

/** The ledger row of an attempt, with its fault classified and its cost counted. */
export function attemptOf(order: AttemptOrder, course: Course, end: AttemptEnd): AttemptReport {
  const outcome = outcomeOf(course, end);
  const evidence = {
    reported: course.tally.usage,
    estimatedInputTokens: order.chat.request.needs.estimatedInputTokens,
    outputChars: course.tally.outputChars,
  };
  const usage = outcome.kind === 'served' ? servedUsage(evidence) : failedUsage(outcome.fault, evidence);
  const attempt: Attempt = {
    ...order.start,
    headersAtMs: course.headersAtMs,
    firstOutputAtMs: course.firstOutputAtMs,
    endedAtMs: end.endedAtMs,
    status: course.head?.status ?? null,
    quotaUntilMs: quotaUntilMs(course),
    upstreamRequestId: course.head?.upstreamRequestId ?? null,
    outcome,
    usage,
    costPico: attemptCost(usage, order.start.route.price),
    ignoredParams: course.ignoredParams,
  };
  return { attempt, answer: course.answer, facts: { ...order.facts, ignoredParams: course.ignoredParams } };
}

/** Counted from the headers, which is when the provider said it. */
function quotaUntilMs({ head, headersAtMs }: Course): number | null {
  const waitMs = head?.quotaWaitMs ?? null;
  return waitMs === null || headersAtMs === null ? null : headersAtMs + waitMs;
}

function outcomeOf(course: Course, end: AttemptEnd): AttemptOutcome {
  if (course.failure === null) return { kind: 'served', finishReason: course.tally.finishReason ?? 'stop' };
  // Our own reason comes first: whatever the transport threw is only its echo.
  const { failure } = course;
  const signal: Signal =
    end.abortedBy === null || failure.kind === 'aborted'
      ? seen(course, failure)
      : { kind: 'aborted', by: end.abortedBy };
  return { kind: 'failed', fault: classify(signal, { stage: stageOf(course), nowMs: end.endedAtMs }) };
}

/** Once the provider's own tools have begun, an answer that nobody has seen can't be asked for again (FAILURES §5, row 11). */
function seen(course: Course, failure: Signal): Signal {
  const unknown = course.tally.sideEffects && stageOf(course) === 'before_output';
  return unknown ? { kind: 'side_effects_unknown', detail: 'provider_tools_started' } : failure;
}

function stageOf(course: Course): Stage {
  if (course.firstOutputAtMs !== null) return 'after_output';
  if (course.head === null || course.head.status >= 400) return 'before_headers';
  return 'before_output';
}
