import type { Logger } from 'pino';
import type { ClosingRecord } from '../../domain/audit/audit-record';
import type { RequestId } from '../../domain/kernel/ids';
import type { Attempt } from '../../domain/interaction/attempt';
import type { AccountFault, IncidentLog } from '../../usecase/port/incident-log';

export class PinoIncidentLog implements IncidentLog {
  constructor(private readonly logger: Logger) {}

  closingNotRecorded(closing: ClosingRecord, cause: unknown): void {
    this.logger.error(
      { incident: 'closing_not_recorded', requestId: closing.requestId, closing, err: cause },
      'closing record not written',
    );
  }

  defect(requestId: RequestId, cause: unknown): void {
    this.logger.error(
  accountFault(fault: AccountFault): void {
    this.logger.error(
      { incident: 'account_fault', ...fault },
      "the gateway's account at a provider is at fault; every route of the channel is open for now",
    );
  }

      { incident: 'defect', requestId, err: cause },
      'interaction ended by a defect of the gateway',
    );
  }
}
