import type { Logger } from 'pino';
import type { ClosingRecord } from '../../domain/audit/audit-record';
import type { RequestId, TenantId } from '../../domain/kernel/ids';
import type { Attempt } from '../../domain/interaction/attempt';
import type { CanaryRef } from '../../usecase/port/canary-observer';
import type {
  AccountFault,
  CanaryRollback,
  FailedProbes,
  IncidentLog,
} from '../../usecase/port/incident-log';

export class PinoIncidentLog implements IncidentLog {
  constructor(private readonly logger: Logger) {}

  closingNotRecorded(closing: ClosingRecord, cause: unknown): void {
    const { requestId } = closing;
    this.logger.error(
      { incident: 'closing_not_recorded', requestId, closing: restorable(closing), err: cause },
      'closing record not written',
    );
  }

  closingSuperseded(closing: ClosingRecord): void {
    const { requestId } = closing;
    this.logger.error(
      { incident: 'closing_superseded', requestId, closing: restorable(closing) },
      'closing record came too late: the interaction was closed as interrupted before',
    );
  }

  spoolDamaged(path: string, lines: number): void {
    this.logger.error(
      { incident: 'spool_damaged', path, lines },
      'lines of a spool file are damaged and were left out; the file is kept',
    );
  }

  accountFault(fault: AccountFault): void {
    this.logger.error(
      { incident: 'account_fault', ...fault },
      "the gateway's account at a provider is at fault; every route of the channel is open for now",
    );
  }

  probesFailed(probes: FailedProbes): void {
    this.logger.error(
      { incident: 'probes_failed', ...probes },
      'probes of a channel keep failing; its routes are open for now',
    );
  }

  canaryRolledBack(rollback: CanaryRollback): void {
    this.logger.warn(
      { incident: 'canary_rolled_back', ...rollback },
      'a canary failed too often and was taken back',
    );
  }

  canaryNotRolledBack(canary: CanaryRef, cause: unknown): void {
    this.logger.error(
      { incident: 'canary_not_rolled_back', ...canary, err: cause },
      'a canary fails and could not be taken back',
    );
  }

  answerUnreadable(answer: Readonly<{ tenant: TenantId; requestId: RequestId }>): void {
    this.logger.error(
      { incident: 'answer_unreadable', ...answer },
      "a stored answer can't be decrypted and was not repeated",
    );
  }

  defect(requestId: RequestId, cause: unknown): void {
    this.logger.error(
      { incident: 'defect', requestId, err: cause },
      'interaction ended by a defect of the gateway',
    );
  }
}

/** An answer belongs in no log, not even encrypted. */
function restorable({ sealedAnswer: _sealed, ...record }: ClosingRecord): object {
  const { lastAttempt } = record;
  return { ...record, lastAttempt: lastAttempt === null ? null : recorded(lastAttempt) };
}

/** What the ledger would have held: neither the channel's configured headers nor the provider's prose, which may quote a prompt. */
function recorded(attempt: Attempt): object {
  const { id, provider, channel, model, upstreamName } = attempt.route;
  const route = { id, provider, channel: channel.id, region: channel.region, model, upstreamName };
  if (attempt.outcome.kind === 'served') return { ...attempt, route };
  const { providerError: _prose, ...fault } = attempt.outcome.fault;
  return { ...attempt, route, outcome: { kind: 'failed', fault } };
}
