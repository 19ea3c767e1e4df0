import type { ClosingRecord } from '../../domain/audit/audit-record';
import type { CanaryTally } from '../../domain/routing/canary';
import type { ProbeResult } from '../../domain/health/channel-probe';
import type { ChannelId, OfferingId, ProviderId, RequestId, TenantId } from '../../domain/kernel/ids';
import type { CanaryRef } from './canary-observer';

/** Tells operators of what must not get lost, though no caller can be told. */
export interface IncidentLog {
  /** The closing row could not be written: the whole record is in the report, so that it can be restored. */
  closingNotRecorded(closing: ClosingRecord, cause: unknown): void;
  /** It came too late: the row was closed as `interrupted` before, and stays so. The whole record is in the report. */
  closingSuperseded(closing: ClosingRecord): void;
  /** Lines of a spool file were cut short or changed. The others are in the store, and the file is kept at `path`. */
  spoolDamaged(path: string, lines: number): void;
  /** A provider has said that our account is at fault: every route of the channel is open for now. */
  accountFault(fault: AccountFault): void;
  /** Probes of a channel keep failing: those of its routes that no request has proven alive are open for now. */
  probesFailed(probes: FailedProbes): void;
  /** A canary has failed too often and was taken back, so that its tenant can be told why. */
  canaryRolledBack(rollback: CanaryRollback): void;
  /** The same, but the write failed: the canary still runs. */
  canaryNotRolledBack(canary: CanaryRef, cause: unknown): void;
  /** The stored answer of a request can't be decrypted, so it was not repeated: it was changed, or the secret key was. */
  answerUnreadable(answer: Readonly<{ tenant: TenantId; requestId: RequestId }>): void;
  /** A defect of ours ended an interaction. */
  defect(requestId: RequestId, cause: unknown): void;
}

/** The provider's own words for it, and never the key. */
export type AccountFault = Readonly<{
  provider: ProviderId;
  channel: ChannelId;
  /** Effective HTTP status; null: the code came without one. */
  status: number | null;
  code: string | null;
}>;

/** The version that failed, by how much, and the one that was written in its place. */
export type CanaryRollback = CanaryRef & CanaryTally & Readonly<{ newVersion: number }>;

/** What the last of them met. */
export type FailedProbes = Readonly<{
  provider: ProviderId;
  channel: ChannelId;
  fault: ProbeResult['fault'];
  /** Routes that were opened. */
  opened: readonly OfferingId[];
}>;
