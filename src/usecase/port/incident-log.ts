import type { ClosingRecord } from '../../domain/audit/audit-record';
import type { RequestId } from '../../domain/kernel/ids';

/** Tells operators of what must not get lost, though no caller can be told. */
export interface IncidentLog {
  /** The closing row could not be written: the whole record is in the report, so that it can be restored. */
  closingNotRecorded(closing: ClosingRecord, cause: unknown): void;
  /** A defect of ours ended an interaction. */
  defect(requestId: RequestId, cause: unknown): void;
}
