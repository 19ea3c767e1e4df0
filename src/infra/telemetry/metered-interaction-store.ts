import type { Logger } from 'pino';
import type { ClosingRecord, OpeningRecord } from '../../domain/audit/audit-record';
import type { Attempt, AttemptStart } from '../../domain/interaction/attempt';
import type { RequestId } from '../../domain/kernel/ids';
import type { MicroUsd } from '../../domain/kernel/money';
import type { Advance, InteractionStore, Opening } from '../../usecase/port/interaction-store';
import type { Metrics } from './metrics';

const MS_PER_SECOND = 1_000;

/** Counts and logs the interactions that are recorded. Every one passes here, so nothing else has to be instrumented. */
export class MeteredInteractionStore implements InteractionStore {
  private readonly openedAtMs = new Map<RequestId, number>();

  constructor(
    private readonly store: InteractionStore,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  async open(opening: OpeningRecord): Promise<Opening> {
    const { requestId } = opening;
    this.openedAtMs.set(requestId, opening.openedAtMs);
    try {
      const outcome = await this.store.open(opening);
      if (outcome.kind !== 'opened') this.openedAtMs.delete(requestId);
      return outcome;
    } catch (error) {
      this.openedAtMs.delete(requestId);
      throw error;
    }
  }

  advance(
    requestId: RequestId,
    ended: Attempt,
    next: AttemptStart,
    reservationMicroUsd: MicroUsd | null,
  ): Promise<Advance> {
    return this.store.advance(requestId, ended, next, reservationMicroUsd);
  }

  async close(closing: ClosingRecord): ReturnType<InteractionStore['close']> {
    const { requestId, state, errorCode, fallbackReason, served, attempts, costMicroUsd } = closing;
    const openedAtMs = this.openedAtMs.get(requestId);
    this.openedAtMs.delete(requestId);
    this.metrics.interactions.inc({ state, error: errorCode ?? '' });
    if (fallbackReason !== null) this.metrics.fallbacks.inc({ reason: fallbackReason });
    if (closing.refusals.some(({ detail }) => detail.reason === 'group_rpm')) {
      this.metrics.admissionsRefused.inc({ scope: 'group' });
    }
    const durationMs = openedAtMs === undefined ? null : closing.closedAtMs - openedAtMs;
    if (durationMs !== null) this.metrics.duration.observe({ state }, durationMs / MS_PER_SECOND);
    const { provider, model } = served ?? {};
    this.logger.info(
      { requestId, state, errorCode, provider, model, attempts, fallbackReason, costMicroUsd, durationMs },
      'interaction closed',
    );
    return this.store.close(closing);
  }
}
