import type { CanaryTally } from '../../domain/routing/canary';
import type { CanaryRef } from './canary-observer';

/** Counts what requests of canaries came to, for each version of a policy by itself. Bounded: it may forget old ones. */
export interface CanaryTallies {
  /** Adds one request and gives the sums so far. */
  add(canary: CanaryRef, outcome: 'served' | 'failed'): CanaryTally;
}
