import type { RateCounter, RateState } from '../../domain/rate/rate-counter';

/**
 * Counts requests by the minute. A counter's minute begins with its first request and has a fixed end. Where counters are
 * shared and can't be reached, each process counts alone; nothing here ever rejects.
 */
export interface RequestRates {
  /** How far the counters are, in the same order. Looking costs nothing. */
  look(counters: readonly RateCounter[]): Promise<readonly RateState[]>;
  /** Counts one request if the minute takes it; one that is refused costs nothing. Of two that race for the last one, one gets it. */
  take(counter: RateCounter): Promise<RateAdmission>;
  /** Takes one request back that was counted and then wasn't made. Nothing, if its minute is over. */
  giveBack(counter: RateCounter): Promise<void>;
}

/** With the state after it. */
export type RateAdmission = RateState & Readonly<{ admitted: boolean }>;
