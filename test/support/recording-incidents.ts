import type { ClosingRecord } from '../../src/domain/audit/audit-record';
import type { RequestId, TenantId } from '../../src/domain/kernel/ids';
import type { CanaryRef } from '../../src/usecase/port/canary-observer';
import type {
  AccountFault,
  CanaryRollback,
  FailedProbes,
  IncidentLog,
} from '../../src/usecase/port/incident-log';

/** Incidents in lists. */
export class RecordingIncidents implements IncidentLog {
  readonly notRecorded: ClosingRecord[] = [];
  readonly superseded: ClosingRecord[] = [];
  readonly damagedSpools: Readonly<{ path: string; lines: number }>[] = [];
  readonly defects: Readonly<{ requestId: RequestId; cause: unknown }>[] = [];

  readonly accountFaults: AccountFault[] = [];
  readonly failedProbes: FailedProbes[] = [];
  readonly rollbacks: CanaryRollback[] = [];
  readonly failedRollbacks: CanaryRef[] = [];
  readonly unreadable: Readonly<{ tenant: TenantId; requestId: RequestId }>[] = [];

  probesFailed(probes: FailedProbes): void {
    this.failedProbes.push(probes);
  }

  canaryRolledBack(rollback: CanaryRollback): void {
    this.rollbacks.push(rollback);
  }

  canaryNotRolledBack(canary: CanaryRef): void {
    this.failedRollbacks.push(canary);
  }

  accountFault(fault: AccountFault): void {
    this.accountFaults.push(fault);
  }

  closingNotRecorded(closing: ClosingRecord, _cause: unknown): void {
    this.notRecorded.push(closing);
  }

  answerUnreadable(answer: Readonly<{ tenant: TenantId; requestId: RequestId }>): void {
    this.unreadable.push(answer);
  }

  closingSuperseded(closing: ClosingRecord): void {
    this.superseded.push(closing);
  }

  spoolDamaged(path: string, lines: number): void {
    this.damagedSpools.push({ path, lines });
  }

  defect(requestId: RequestId, cause: unknown): void {
    this.defects.push({ requestId, cause });
  }
}
