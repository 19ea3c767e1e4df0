import type { ClosingRecord, OpeningRecord } from '../../../domain/audit/audit-record';
import type { RequestId } from '../../../domain/kernel/ids';
import type { IncidentLog } from '../../../usecase/port/incident-log';
import type { InteractionStore } from '../../../usecase/port/interaction-store';
import { StoreUnavailable } from '../../../usecase/port/store-unavailable';
import type { ClosingSpool } from './closing-spool';

/**
 * Keeps the closing records of this process's own interactions on disk while the store can't take them (DESIGN §12). Openings
 * and advances are never kept: what they would allow must not happen unrecorded. Neither are closings of interactions that
 * others opened, i.e. those of reconciliation, which finds them again.
 */
export class SpoolingInteractionStore implements InteractionStore {
  /** Those whose opening is in the store, or may be. */
  private readonly running = new Set<RequestId>();
  private onIdle: (() => void) | null = null;

  constructor(
    private readonly store: InteractionStore,
    private readonly spool: Pick<ClosingSpool, 'keep'>,
    private readonly incidents: Pick<IncidentLog, 'closingSuperseded'>,
  ) {}

  async open(opening: OpeningRecord): ReturnType<InteractionStore['open']> {
    const { requestId } = opening;
    const asked = this.running.has(requestId);
    this.running.add(requestId);
    try {
      const outcome = await this.store.open(opening);
      if (outcome.kind !== 'opened' && !asked) this.ended(requestId);
      return outcome;
    } catch (error) {
      if (!asked && !mayBeWritten(error)) this.ended(requestId);
      throw error;
    }
  }

  advance(...advance: Parameters<InteractionStore['advance']>): ReturnType<InteractionStore['advance']> {
    return this.store.advance(...advance);
  }

  async close(closing: ClosingRecord): ReturnType<InteractionStore['close']> {
    const { requestId } = closing;
    try {
      const outcome = await this.store.close(closing);
      if (outcome === 'already_closed' && this.running.has(requestId)) {
        this.incidents.closingSuperseded(closing);
      }
      return outcome;
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || !this.running.has(requestId)) throw error;
      await this.spool.keep(closing, error);
      return 'spooled';
    } finally {
      this.ended(requestId);
    }
  }

  /** Resolves when every interaction of this process has its closing record. */
  idle(): Promise<void> {
    if (this.running.size === 0) return Promise.resolve();
    return new Promise((resolve) => (this.onIdle = resolve));
  }

  private ended(requestId: RequestId): void {
    this.running.delete(requestId);
    if (this.running.size === 0) this.onIdle?.();
  }
}

function mayBeWritten(error: unknown): boolean {
  return error instanceof StoreUnavailable && error.written === 'unknown';
}
