import type { Attempt, AttemptStart } from '../interaction/attempt';
import type { FinalState, InteractionState } from '../interaction/interaction';
import type { KeyClaim } from '../interaction/idempotency';
import type { Usage } from '../interaction/usage';
import type { ApiKeyId, ModelName, OfferingId, ProviderId, RequestId, TenantId } from '../kernel/ids';
import type { MicroUsd } from '../kernel/money';
import type { PiiCounts, PiiFindings } from '../pii/pii-scan';
import type { Refusal } from '../routing/refusal';
import type { FallbackReason } from '../interaction/fallback-reason';

/** What is committed before the first upstream byte (DESIGN §7). Never a prompt, an answer, or a key. */
export type OpeningRecord = Readonly<{
  requestId: RequestId;
  /** The interaction that is billed: this one, or the one that this one continues. */
  billableId: RequestId;
  tenant: TenantId;
  apiKey: ApiKeyId;
  openedAtMs: number;
  deadlineAtMs: number;
  requestedModel: string;
  stream: boolean;
  policy: Readonly<{ name: string; version: number }> | null;
  /** The request was drawn for the policy's canary, which so was its primary. */
  canary: boolean;
  /** What was found in the request, in numbers; absent or null: nobody had a rule about it. */
  pii?: PiiFindings | null;
  /** Routes in the order in which they would be tried. */
  planned: readonly PlannedRef[];
  refusals: readonly Refusal[];
  /** The caller's own labels and correlation, as far as they were well formed. */
  service: string | null;
  feature: string | null;
  parentRequestId: string | null;
  /** The caller's SDK said that this is its n-th retry. */
  clientRetryCount: number | null;
  /** The caller's idempotency key, which opening takes. Null: he sent none, or nothing was attempted. */
  idempotency: KeyClaim | null;
  /** Held of the tenant's wallet: the worst case of what was and will be attempted. Null: it has no wallet, or nothing was attempted. */
  reservationMicroUsd: MicroUsd | null;
  /** Null: refused without any attempt. */
  firstAttempt: AttemptStart | null;
}>;

export type PlannedRef = Readonly<{ id: OfferingId; provider: ProviderId; model: ModelName }>;

/** How an interaction ended. */
export type ClosingRecord = Readonly<{
  requestId: RequestId;
  state: FinalState;
  closedAtMs: number;
  /** Public code of the error that the caller got; null: none. */
  errorCode: string | null;
  /** Who really answered; null: nobody did. */
  served: ServedRef | null;
  fallbackReason: FallbackReason | null;
  /** All refusals, those of later hops included. */
  refusals: readonly Refusal[];
  attempts: number;
  usage: Usage;
  /** Sum of what all attempts cost, rounded up once; null: unknown. */
  costMicroUsd: MicroUsd | null;
  /** The attempt that ended last; null: there was none. */
  lastAttempt: Attempt | null;
  /** What the caller got, encrypted, to be given again for his idempotency key. Absent: there is nothing to keep. */
  sealedAnswer?: string;
}>;

export type ServedRef = Readonly<{
  route: OfferingId;
  provider: ProviderId;
  model: ModelName;
  upstreamName: string;
}>;

/** An interaction as an auditor reads it. */
export type AuditRecord = Omit<OpeningRecord, 'firstAttempt' | 'idempotency'> &
  Readonly<{
    idempotencyKeyUsed: boolean;
    state: InteractionState;
    closing: Omit<ClosingRecord, 'requestId' | 'state' | 'lastAttempt' | 'sealedAnswer'> | null;
    ledger: readonly LedgerRow[];
  }>;

/** A stored attempt: routes by name, not by what the catalog says today. */
export type LedgerRow = Readonly<{
  number: number;
  action: AttemptStart['action'];
  route: OfferingId;
  provider: ProviderId;
  channel: string;
  region: string;
  model: ModelName;
  upstreamName: string;
  trial: boolean;
  backoffMs: number;
  startedAtMs: number;
  headersAtMs: number | null;
  firstOutputAtMs: number | null;
  /** Null: the attempt was started and its end never recorded. */
  endedAtMs: number | null;
  status: number | null;
  upstreamRequestId: string | null;
  outcome: 'running' | 'served' | 'failed';
  finishReason: string | null;
  faultClass: string | null;
  faultCode: string | null;
  stage: string | null;
  abortedBy: string | null;
  retryAfterMs: number | null;
  requestSent: string | null;
  usage: Usage;
  costMicroUsd: MicroUsd | null;
  ignoredParams: readonly string[];
  /** What the provider got placeholders for, in numbers; absent or null: nothing. */
  redacted?: PiiCounts | null;
}>;
