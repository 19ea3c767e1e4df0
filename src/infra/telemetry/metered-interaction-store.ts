import type { Logger } from 'pino';
import type { ClosingRecord, OpeningRecord } from '../../domain/audit/audit-record';
import type { Attempt, AttemptStart } from '../../domain/interaction/attempt';
import type { RequestId } from '../../domain/kernel/ids';
import type { MicroUsd } from '../../domain/kernel/money';
import type { Advance, InteractionStore, Opening } from '../../usecase/port/interaction-store';
import type { Metrics } from './metrics';

const MS_PER_SECOND = 1_000;

/** Counts and logs what is recorded. Every interaction and attempt passes here, so nothing else has to be instrumented. */
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

  /** An attempt that ends here and goes no further is told when the interaction closes. */
  async advance(
    requestId: RequestId,
    ended: Attempt,
    next: AttemptStart,
    reservationMicroUsd: MicroUsd | null,
  ): Promise<Advance> {
    const outcome = await this.store.advance(requestId, ended, next, reservationMicroUsd);
    if (outcome.kind === 'advanced') this.ended(requestId, ended);
    return outcome;
  }

  async close(closing: ClosingRecord): ReturnType<InteractionStore['close']> {
    const { requestId, state, errorCode, lastAttempt, fallbackReason, served, attempts, costMicroUsd } =
      closing;
    const openedAtMs = this.openedAtMs.get(requestId);
    this.openedAtMs.delete(requestId);
    if (lastAttempt !== null) this.ended(requestId, lastAttempt);
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

  private ended(requestId: RequestId, attempt: Attempt): void {
    const { number, action, route, outcome, startedAtMs, firstOutputAtMs, status, upstreamRequestId } =
      attempt;
    const { provider } = route;
    const fault = outcome.kind === 'failed' ? outcome.fault : null;
    this.metrics.attempts.inc({ provider, action, outcome: fault?.class ?? 'served' });
    if (firstOutputAtMs !== null) {
      this.metrics.firstOutput.observe({ provider }, (firstOutputAtMs - startedAtMs) / MS_PER_SECOND);
    }
    if (fault === null) return;
    const evidence = {
      faultClass: fault.class,
      faultCode: fault.code,
      stage: fault.stage,
      status,
      upstreamRequestId,
    };
    this.logger.warn(
      { requestId, attempt: number, action, provider, route: route.id, ...evidence },
      'attempt failed',
    );
  }
}
