import type { Logger } from 'pino';
import type { Attempt } from '../../domain/interaction/attempt';
import type { RequestId } from '../../domain/kernel/ids';
import type { AttemptObserver } from '../../usecase/port/attempt-observer';
import type { Metrics } from './metrics';

const MS_PER_SECOND = 1_000;

/** Counts the attempts that are recorded, and logs those that failed. */
export class MeteredAttempts implements AttemptObserver {
  constructor(
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  observe(attempt: Attempt, requestId: RequestId): void {
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
