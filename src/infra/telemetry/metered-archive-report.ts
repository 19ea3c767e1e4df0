import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { RequestId } from '../../domain/kernel/ids';
import type { ArchiveReport } from '../../usecase/port/archive-report';

/** Counts what becomes of interactions that are to be archived, and names those that were lost. */
export class MeteredArchiveReport implements ArchiveReport {
  private readonly archived: Counter<'outcome'>;

  constructor(
    registry: Registry,
    private readonly logger: Logger,
  ) {
    this.archived = new Counter({
      name: 'schneeai_archived_interactions_total',
      help: 'Interactions that were to be archived, by what became of them (stored, switched_off, overloaded, store_failed).',
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  stored(count: number): void {
    this.archived.inc({ outcome: 'stored' }, count);
  }

  unwanted(count: number): void {
    this.archived.inc({ outcome: 'switched_off' }, count);
  }

  lost(requestIds: readonly RequestId[], reason: 'overloaded' | 'store_failed', cause: unknown): void {
    this.archived.inc({ outcome: reason }, requestIds.length);
    this.logger.warn(
      { incident: 'not_archived', requestIds, reason, err: cause },
      'interactions were not archived; answers and audit records are complete',
    );
  }

  unreadable(requestId: RequestId): void {
    this.logger.error(
      { incident: 'archive_unreadable', requestId },
      "an archived interaction can't be decrypted",
    );
  }
}
