import type { KeyUseObserver, KeyUseOutcome } from '../../usecase/port/key-use-observer';
import type { Metrics } from './metrics';

export class MeteredKeyUses implements KeyUseObserver {
  constructor(private readonly metrics: Metrics) {}

  observe(outcome: KeyUseOutcome): void {
    this.metrics.idempotencyKeys.inc({ outcome });
  }
}
