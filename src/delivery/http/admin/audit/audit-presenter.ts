import type { AuditRecord, LedgerRow, ServedRef } from '../../../../domain/audit/audit-record';
import type { Usage } from '../../../../domain/interaction/usage';
import type { JsonObject } from '../../../../domain/kernel/json';
import { presentRefusal } from '../../error/refusal-presenter';
import { rfc3339, rfc3339OrNull } from '../instant';
import { presentPii } from '../pii-presenter';

/** A record as it stands in a list: everything but the attempts. */
export function presentRecord(record: AuditRecord): JsonObject {
  return {
    request_id: record.requestId,
    billable_id: record.billableId,
    tenant: record.tenant,
    key: record.apiKey,
    state: record.state,
    opened_at: rfc3339(record.openedAtMs),
    deadline_at: rfc3339(record.deadlineAtMs),
    requested_model: record.requestedModel,
    stream: record.stream,
    policy: record.policy === null ? null : { name: record.policy.name, version: record.policy.version },
    canary: record.canary,
    pii: presentPii(record.pii ?? null),
    planned: record.planned.map(({ id, provider, model }) => ({ offering: id, provider, model })),
    refusals: (record.closing?.refusals ?? record.refusals).map(presentRefusal),
    service: record.service,
    feature: record.feature,
    parent_request_id: record.parentRequestId,
    client_retry_count: record.clientRetryCount,
    idempotency_key_used: record.idempotencyKeyUsed,
    reservation_micro_usd: record.reservationMicroUsd,
    ...presentClosing(record.closing),
  };
}

export function presentRecordWithLedger(record: AuditRecord): JsonObject {
  return { ...presentRecord(record), ledger: record.ledger.map(presentLedgerRow) };
}

/** The same fields while the interaction is open, all of them unknown yet. */
const NOT_CLOSED: JsonObject = {
  closed_at: null,
  error_code: null,
  served: null,
  fallback_reason: null,
  attempts: null,
  usage: null,
  cost_micro_usd: null,
};

function presentClosing(closing: AuditRecord['closing']): JsonObject {
  if (closing === null) return NOT_CLOSED;
  return {
    closed_at: rfc3339(closing.closedAtMs),
    error_code: closing.errorCode,
    served: closing.served === null ? null : presentServed(closing.served),
    fallback_reason: closing.fallbackReason,
    attempts: closing.attempts,
    usage: presentUsage(closing.usage),
    cost_micro_usd: closing.costMicroUsd,
  };
}

function presentServed({ route, provider, model, upstreamName }: ServedRef): JsonObject {
  return { offering: route, provider, model, upstream_name: upstreamName };
}

export function presentLedgerRow(row: LedgerRow): JsonObject {
  return {
    number: row.number,
    action: row.action,
    offering: row.route,
    provider: row.provider,
    channel: row.channel,
    region: row.region,
    model: row.model,
    upstream_name: row.upstreamName,
    trial: row.trial,
    backoff_ms: row.backoffMs,
    started_at: rfc3339(row.startedAtMs),
    headers_at: rfc3339OrNull(row.headersAtMs),
    first_output_at: rfc3339OrNull(row.firstOutputAtMs),
    ended_at: rfc3339OrNull(row.endedAtMs),
    status: row.status,
    upstream_request_id: row.upstreamRequestId,
    outcome: row.outcome,
    finish_reason: row.finishReason,
    fault: row.faultClass,
    code: row.faultCode,
    stage: row.stage,
    aborted_by: row.abortedBy,
    retry_after_ms: row.retryAfterMs,
    request_sent: row.requestSent,
    usage: presentUsage(row.usage),
    cost_micro_usd: row.costMicroUsd,
    ignored_params: row.ignoredParams,
    redacted: row.redacted ?? null,
  };
}

function presentUsage(usage: Usage): JsonObject {
  return {
    input_tokens: usage.inputTokens,
    cached_input_tokens: usage.cachedInputTokens,
    cache_write_tokens: usage.cacheWriteTokens,
    cache_write_1h_tokens: usage.cacheWrite1hTokens ?? null,
    output_tokens: usage.outputTokens,
    reasoning_tokens: usage.reasoningTokens,
    source: usage.source,
  };
}
