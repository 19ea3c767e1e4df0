import type { AuditRecord, ClosingRecord, LedgerRow, OpeningRecord } from '../../domain/audit/audit-record';
import type { FallbackReason } from '../../domain/interaction/fallback-reason';
import type { FinalState, InteractionState } from '../../domain/interaction/interaction';
import type { PiiFindings } from '../../domain/pii/pii-scan';
import type { Refusal } from '../../domain/routing/refusal';
import type { ChainPlace } from './audit-chain-row';
import { fromFlag, toFlag, type FlagColumn } from './flag-column';
import { fromJson, fromNullableJson, toJson, toNullableJson } from './json-column';
import { usageColumnsOf, usageOf, type UsageColumns } from './usage-columns';

/** The columns that the opening write fills. What an auditor filters by has a column; the rest is JSON. */
export type OpeningRow = Readonly<{
  request_id: string;
  tenant: string;
  api_key: string;
  state: InteractionState;
  opened_at: number;
  deadline_at: number;
  requested_model: string;
  stream: FlagColumn;
  policy_name: string | null;
  policy_version: number | null;
  /** Null: opened before canaries were recorded. */
  canary: FlagColumn | null;
  pii: string | null;
  planned: string;
  refusals: string;
  service: string | null;
  feature: string | null;
  parent_request_id: string | null;
  client_retry_count: number | null;
  /** Null: opened before a record could continue another. */
  billable_id: string | null;
  /** What `advance` has raised it to. */
  reservation_micro_usd: number | null;
  /** Null: none was sent, or nothing was attempted. */
  idempotency_key_used: FlagColumn | null;
}>;

/** The columns that the closing write adds; all null while the interaction is open. */
export type ClosingRow = Readonly<{
  closed_at: number;
  error_code: string | null;
  served_route: string | null;
  served_provider: string | null;
  served_model: string | null;
  served_upstream_name: string | null;
  fallback_reason: FallbackReason | null;
  /** All refusals of the interaction, those of the opening included. */
  final_refusals: string;
  attempts: number;
  cost_micro_usd: number | null;
}> &
  UsageColumns;

/** A closed row has its place in a chain, unless it was closed before there were chains. */
export type InteractionRow = OpeningRow &
  Readonly<{ [C in keyof (ClosingRow & ChainPlace)]: (ClosingRow & ChainPlace)[C] | null }>;

export function openingRowOf(opening: OpeningRecord): OpeningRow {
  return {
    request_id: opening.requestId,
    tenant: opening.tenant,
    api_key: opening.apiKey,
    state: 'open',
    opened_at: opening.openedAtMs,
    deadline_at: opening.deadlineAtMs,
    requested_model: opening.requestedModel,
    stream: toFlag(opening.stream),
    policy_name: opening.policy?.name ?? null,
    policy_version: opening.policy?.version ?? null,
    canary: toFlag(opening.canary),
    pii: toNullableJson(opening.pii ?? null),
    planned: toJson(opening.planned),
    refusals: toJson(opening.refusals),
    service: opening.service,
    feature: opening.feature,
    parent_request_id: opening.parentRequestId,
    client_retry_count: opening.clientRetryCount,
    billable_id: opening.billableId,
    reservation_micro_usd: opening.reservationMicroUsd,
    idempotency_key_used: opening.idempotency === null ? null : 1,
  };
}

export function closingRowOf(closing: ClosingRecord): ClosingRow & Readonly<{ state: FinalState }> {
  return {
    state: closing.state,
    closed_at: closing.closedAtMs,
    error_code: closing.errorCode,
    served_route: closing.served?.route ?? null,
    served_provider: closing.served?.provider ?? null,
    served_model: closing.served?.model ?? null,
    served_upstream_name: closing.served?.upstreamName ?? null,
    fallback_reason: closing.fallbackReason,
    final_refusals: toJson(closing.refusals),
    attempts: closing.attempts,
    cost_micro_usd: closing.costMicroUsd,
    ...usageColumnsOf(closing.usage),
  };
}

export function auditRecordOf(row: InteractionRow, ledger: readonly LedgerRow[]): AuditRecord {
  return {
    requestId: row.request_id,
    tenant: row.tenant,
    apiKey: row.api_key,
    openedAtMs: row.opened_at,
    deadlineAtMs: row.deadline_at,
    requestedModel: row.requested_model,
    stream: fromFlag(row.stream),
    policy: policyOf(row),
    canary: fromFlag(row.canary ?? 0),
    pii: fromNullableJson<PiiFindings>(row.pii),
    planned: fromJson<OpeningRecord['planned']>(row.planned),
    refusals: fromJson<readonly Refusal[]>(row.refusals),
    service: row.service,
    feature: row.feature,
    parentRequestId: row.parent_request_id,
    clientRetryCount: row.client_retry_count,
    billableId: row.billable_id ?? row.request_id,
    reservationMicroUsd: row.reservation_micro_usd,
    idempotencyKeyUsed: row.idempotency_key_used !== null,
    state: row.state,
    closing: closingOf(row),
    ledger,
  };
}

function policyOf(row: InteractionRow): OpeningRecord['policy'] {
  if (row.policy_name === null || row.policy_version === null) return null;
  return { name: row.policy_name, version: row.policy_version };
}

function closingOf(row: InteractionRow): AuditRecord['closing'] {
  if (row.closed_at === null) return null;
  return {
    closedAtMs: row.closed_at,
    errorCode: row.error_code,
    served: servedOf(row),
    fallbackReason: row.fallback_reason,
    refusals: fromJson<readonly Refusal[]>(row.final_refusals ?? '[]'),
    attempts: row.attempts ?? 0,
    usage: usageOf(row),
    costMicroUsd: row.cost_micro_usd,
  };
}

function servedOf(row: InteractionRow): ClosingRecord['served'] {
  const { served_route: route, served_provider: provider, served_model: model } = row;
  if (route === null || provider === null || model === null) return null;
  return { route, provider, model, upstreamName: row.served_upstream_name ?? '' };
}
