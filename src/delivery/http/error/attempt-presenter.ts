import type { JsonObject } from '../../../domain/kernel/json';
import type { Attempt } from '../../../domain/interaction/attempt';

/** One upstream call as the caller sees it in an error: who was asked, what came back, how long it took. */
export function presentAttempt(attempt: Attempt): JsonObject {
  const fault = attempt.outcome.kind === 'failed' ? attempt.outcome.fault : null;
  return {
    number: attempt.number,
    action: attempt.action,
    provider: attempt.route.provider,
    channel: attempt.route.channel.id,
    model: attempt.route.model,
    upstream_name: attempt.route.upstreamName,
    status: attempt.status,
    fault: fault?.class ?? null,
    code: fault?.code ?? null,
    stage: fault?.stage ?? null,
    retry_after_ms: fault?.retryAfterMs ?? null,
    backoff_ms: attempt.backoffMs,
    duration_ms: attempt.endedAtMs - attempt.startedAtMs,
    upstream_request_id: attempt.upstreamRequestId,
  };
}
