import type { AuditRecord } from '../../domain/audit/audit-record';
import type { AttemptAction } from '../../domain/interaction/attempt';
import type { InteractionState } from '../../domain/interaction/interaction';
import type {
  ApiKeyId,
  ChannelId,
  ModelName,
  OfferingId,
  ProviderId,
  RequestId,
  TenantId,
} from '../../domain/kernel/ids';
import type { MicroUsd } from '../../domain/kernel/money';
import type { FaultClass } from '../../domain/resilience/fault';

/** Reads audit records, newest first. Rejects with `StoreUnavailable` when the store can't be read. */
export interface AuditLog {
  /** Undefined: no such record. */
  find(requestId: RequestId): Promise<AuditRecord | undefined>;
  /**
   * A page by cursor, newest first; stable while records are added. It may hold fewer records than asked for, even none, and
   * yet have a next one: a page looks only so far for what is rare. Of the record that it comes after nothing is read.
   */
  page(filter: AuditFilter, page: PageRequest): Promise<AuditPage>;
}

/** All given conditions must hold. */
export type AuditFilter = Readonly<{
  tenant?: TenantId;
  /** Opened at or after. */
  fromMs?: number;
  /** Opened before. */
  toMs?: number;
  state?: InteractionState;
  requestedModel?: string;
  servedProvider?: ProviderId;
  servedModel?: ModelName;
  /** True: only interactions with a failover; false: only those without. */
  fallback?: boolean;
  apiKey?: ApiKeyId;
  service?: string;
  feature?: string;
  /** The public code that the caller got. */
  errorCode?: string;
  servedRoute?: OfferingId;
  /** The routing policy that answered. */
  policy?: string;
  /** Known costs of at least this much; unknown is never zero, and never found. */
  minCostMicroUsd?: MicroUsd;
  stream?: boolean;
  parentRequestId?: RequestId;
  /** The interaction has an attempt for which all of this holds. */
  attempt?: AttemptFilter;
}>;

export type AttemptFilter = Readonly<{
  faultClass?: FaultClass;
  channel?: ChannelId;
  action?: AttemptAction;
}>;

/** The place of a record among all, by which they are ordered. */
export type AuditPosition = Pick<AuditRecord, 'openedAtMs' | 'requestId'>;

export type PageRequest = Readonly<{
  /** The `next` of the page before; null: the first page. */
  after: AuditPosition | null;
  /** 1 to 200. */
  limit: number;
}>;

export type AuditPage = Readonly<{ records: readonly AuditRecord[]; next: AuditPosition | null }>;
