import type { LedgerRow } from '../../domain/audit/audit-record';
import type { Attempt, AttemptStart, InputEstimate } from '../../domain/interaction/attempt';
import type { RequestId } from '../../domain/kernel/ids';
import { microUsdOf } from '../../domain/kernel/money';
import type { PiiCounts } from '../../domain/pii/pii-scan';
import type { Fault } from '../../domain/resilience/fault';
import type { RecordedAttempt } from '../../usecase/port/open-interactions';
import { fromFlag, toFlag, type FlagColumn } from './flag-column';
import { fromNullableJson, toJson, toNullableJson } from './json-column';
import { usageColumnsOf, usageOf, type UsageColumns } from './usage-columns';

/** The columns that an attempt's start fills: routes by name, so that the row outlives the catalog. */
export type AttemptStartRow = Readonly<{
  request_id: string;
  number: number;
  action: AttemptStart['action'];
  route: string;
  provider: string;
  channel: string;
  region: string;
  model: string;
  upstream_name: string;
  trial: FlagColumn;
  backoff_ms: number;
  started_at: number;
  outcome: LedgerRow['outcome'];
  /** What reconciliation charges if the end is never recorded. */
  estimated_input_tokens: number | null;
  estimated_cost_pico_usd: number | null;
  redacted: string | null;
}>;

/** The columns that an attempt's end adds; the outcome replaces `running`. */
export type AttemptEndRow = Readonly<{
  outcome: LedgerRow['outcome'];
  headers_at: number | null;
  first_output_at: number | null;
  ended_at: number;
  status: number | null;
  upstream_request_id: string | null;
  finish_reason: string | null;
  fault_class: string | null;
  fault_code: string | null;
  stage: string | null;
  aborted_by: string | null;
  retry_after_ms: number | null;
  request_sent: string | null;
  /** Pico-USD: the exact cost; it is rounded when it is read. */
  cost_pico_usd: number | null;
  ignored_params: string;
}> &
  UsageColumns;

export type AttemptRow = AttemptStartRow &
  Readonly<{ [C in Exclude<keyof AttemptEndRow, 'outcome'>]: AttemptEndRow[C] | null }>;

export function startRowOf(requestId: RequestId, start: AttemptStart): AttemptStartRow {
  const { route } = start;
  return {
    request_id: requestId,
    number: start.number,
    action: start.action,
    route: route.id,
    provider: route.provider,
    channel: route.channel.id,
    region: route.channel.region,
    model: route.model,
    upstream_name: route.upstreamName,
    trial: toFlag(start.trial),
    backoff_ms: start.backoffMs,
    started_at: start.startedAtMs,
    outcome: 'running',
    estimated_input_tokens: start.inputEstimate?.inputTokens ?? null,
    estimated_cost_pico_usd: start.inputEstimate?.costPico ?? null,
    redacted: toNullableJson(start.redacted ?? null),
  };
}

export function endRowOf(attempt: Attempt): AttemptEndRow {
  const fault = attempt.outcome.kind === 'failed' ? attempt.outcome.fault : NO_FAULT;
  return {
    outcome: attempt.outcome.kind,
    headers_at: attempt.headersAtMs,
    first_output_at: attempt.firstOutputAtMs,
    ended_at: attempt.endedAtMs,
    status: attempt.status,
    upstream_request_id: attempt.upstreamRequestId,
    finish_reason: attempt.outcome.kind === 'served' ? attempt.outcome.finishReason : null,
    ...faultColumnsOf(fault),
    cost_pico_usd: attempt.costPico,
    ignored_params: toJson(attempt.ignoredParams),
    ...usageColumnsOf(attempt.usage),
  };
}

type FaultEvidence = Pick<Fault, 'class' | 'code' | 'stage' | 'abortedBy' | 'retryAfterMs' | 'requestSent'>;

const NO_FAULT: Readonly<Record<keyof FaultEvidence, null>> = {
  class: null,
  code: null,
  stage: null,
  abortedBy: null,
  retryAfterMs: null,
  requestSent: null,
};

// What the provider wrote in prose is left out: it may quote the prompt (DESIGN §7).
function faultColumnsOf(fault: FaultEvidence | typeof NO_FAULT) {
  return {
    fault_class: fault.class,
    fault_code: fault.code,
    stage: fault.stage,
    aborted_by: fault.abortedBy,
    retry_after_ms: fault.retryAfterMs,
    request_sent: fault.requestSent,
  };
}

export function ledgerRowOf(row: AttemptRow): LedgerRow {
  return {
    number: row.number,
    action: row.action,
    route: row.route,
    provider: row.provider,
    channel: row.channel,
    region: row.region,
    model: row.model,
    upstreamName: row.upstream_name,
    trial: fromFlag(row.trial),
    backoffMs: row.backoff_ms,
    startedAtMs: row.started_at,
    headersAtMs: row.headers_at,
    firstOutputAtMs: row.first_output_at,
    endedAtMs: row.ended_at,
    status: row.status,
    upstreamRequestId: row.upstream_request_id,
    outcome: row.outcome,
    finishReason: row.finish_reason,
    faultClass: row.fault_class,
    faultCode: row.fault_code,
    stage: row.stage,
    abortedBy: row.aborted_by,
    retryAfterMs: row.retry_after_ms,
    requestSent: row.request_sent,
    usage: usageOf(row),
    costMicroUsd: row.cost_pico_usd === null ? null : microUsdOf(row.cost_pico_usd),
    ignoredParams: fromNullableJson<string[]>(row.ignored_params) ?? [],
    redacted: fromNullableJson<PiiCounts>(row.redacted),
  };
}

export function recordedAttemptOf(row: AttemptRow): RecordedAttempt {
  return {
    number: row.number,
    progress: row.ended_at === null ? 'running' : 'ended',
    usage: usageOf(row),
    costPico: row.cost_pico_usd,
    inputEstimate: inputEstimateOf(row),
  };
}

function inputEstimateOf(row: AttemptRow): InputEstimate | null {
  const { estimated_input_tokens: inputTokens, estimated_cost_pico_usd: costPico } = row;
  return inputTokens === null || costPico === null ? null : { inputTokens, costPico };
}
