import type { AuditRecord, LedgerRow } from '../../src/domain/audit/audit-record';
import { NO_USAGE } from '../../src/domain/interaction/usage';

const OPENED = Date.parse('2026-11-30T11:00:00Z');

export const SAMPLE_LEDGER_ROW: LedgerRow = {
  number: 1,
  action: 'initial',
  route: 'oa-1',
  provider: 'openai',
  channel: 'ch-oa-1',
  region: 'us',
  model: 'gpt-s',
  upstreamName: 'gpt-s',
  trial: false,
  backoffMs: 0,
  startedAtMs: OPENED,
  headersAtMs: null,
  firstOutputAtMs: null,
  endedAtMs: OPENED + 40,
  status: 503,
  upstreamRequestId: 'up-1',
  outcome: 'failed',
  finishReason: null,
  faultClass: 'server_error',
  faultCode: 'overloaded',
  stage: 'before_headers',
  abortedBy: null,
  retryAfterMs: null,
  requestSent: 'yes',
  usage: NO_USAGE,
  costMicroUsd: null,
  ignoredParams: [],
};

/** A served interaction of `acme`; `number` makes its id and its minute. */
export function anAuditRecord(number: number, given: Partial<AuditRecord> = {}): AuditRecord {
  return {
    requestId: `req_${String(number).padStart(26, '0')}`,
    billableId: `req_${String(number).padStart(26, '0')}`,
    reservationMicroUsd: null,
    idempotencyKeyUsed: false,
    tenant: 'acme',
    apiKey: 'acme-app',
    openedAtMs: OPENED + number * 60_000,
    deadlineAtMs: OPENED + number * 60_000 + 300_000,
    requestedModel: 'auto',
    stream: false,
    policy: { name: 'main', version: 3 },
    canary: false,
    planned: [{ id: 'oa-1', provider: 'openai', model: 'gpt-s' }],
    refusals: [],
    service: null,
    feature: null,
    parentRequestId: null,
    clientRetryCount: null,
    state: 'served',
    closing: {
      closedAtMs: OPENED + number * 60_000 + 900,
      errorCode: null,
      served: { route: 'oa-1', provider: 'openai', model: 'gpt-s', upstreamName: 'gpt-s-2026' },
      fallbackReason: null,
      refusals: [],
      attempts: 1,
      usage: { ...NO_USAGE, inputTokens: 10, outputTokens: 5, source: 'provider' },
      costMicroUsd: 3,
    },
    ledger: [],
    ...given,
  };
}
