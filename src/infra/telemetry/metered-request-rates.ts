import type { RateCounter, RateState } from '../../domain/rate/rate-counter';
import type { RateAdmission, RequestRates } from '../../usecase/port/request-rates';
import type { Metrics } from './metrics';

/** Counts the requests that a key's limit refuses: nothing else records them. A full group shows in the closing record. */
export class MeteredRequestRates implements RequestRates {
  constructor(
    private readonly rates: RequestRates,
    private readonly metrics: Pick<Metrics, 'admissionsRefused'>,
  ) {}

  look(counters: readonly RateCounter[]): Promise<readonly RateState[]> {
    return this.rates.look(counters);
  }

  giveBack(counter: RateCounter): Promise<void> {
    return this.rates.giveBack(counter);
  }

  async take(counter: RateCounter): Promise<RateAdmission> {
    const admission = await this.rates.take(counter);
    if (!admission.admitted && counter.scope === 'key') this.metrics.admissionsRefused.inc({ scope: 'key' });
    return admission;
  }
}
