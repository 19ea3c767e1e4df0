import type { Logger } from 'pino';

export type SharingOperation = 'tell' | 'hear' | 'sync' | 'trial' | 'canary';

export type SharingErrors = Readonly<{
  inc(labels: Readonly<{ operation: SharingOperation }>): void;
}>;

/** Counts what sharing could not do, and says so once until it works again: a Redis that refuses us refuses each time. */
export class SharingLog {
  private failing = false;

  constructor(
    private readonly logger: Pick<Logger, 'info' | 'warn'>,
    private readonly errors: SharingErrors,
  ) {}

  /** `cause` null: it was a message that nobody understands. */
  failed(operation: SharingOperation, cause: unknown): void {
    this.errors.inc({ operation });
    // What we heard was not ours, which says nothing of what we can do.
    if (operation === 'hear' || this.failing) return;
    this.failing = true;
    const reason = cause instanceof Error ? cause.message : null;
    this.logger.warn({ operation, reason }, 'not shared with the other replicas; going on alone');
  }

  /** There was everything to tell and to read. */
  worked(): void {
    if (this.failing) this.logger.info('shared with the other replicas again');
    this.failing = false;
  }
}
