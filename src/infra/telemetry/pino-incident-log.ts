import type { Logger } from 'pino';
import type { ClosingRecord } from '../../domain/audit/audit-record';
import type { RequestId } from '../../domain/kernel/ids';
import type { IncidentLog } from '../../usecase/port/incident-log';

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
      { incident: 'defect', requestId, err: cause },
      'interaction ended by a defect of the gateway',
    );
  }
}
