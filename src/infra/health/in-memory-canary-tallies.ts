import type { CanaryTally } from '../../domain/routing/canary';
import type { CanaryRef } from '../../usecase/port/canary-observer';
import type { CanaryTallies } from '../../usecase/port/canary-tallies';

/** Far more canaries than run at any time; what is forgotten starts from nothing. */
const MAX_CANARIES = 10_000;

type Counted = CanaryTally & Readonly<{ version: number }>;

/** Each process counts alone, and takes a canary back by what it has seen itself. */
export class InMemoryCanaryTallies implements CanaryTallies {
  /** One entry per policy, the one that was counted last at the end. */
  private readonly byPolicy = new Map<string, Counted>();

  constructor(private readonly maxCanaries = MAX_CANARIES) {}

  add({ tenant, policy, version }: CanaryRef, outcome: 'served' | 'failed'): CanaryTally {
    const key = JSON.stringify([tenant, policy]);
    const known = this.byPolicy.get(key);
    const before = known?.version === version ? known : { requests: 0, failures: 0 };
    const requests = before.requests + 1;
    const failures = before.failures + (outcome === 'failed' ? 1 : 0);
    this.byPolicy.delete(key);
    this.byPolicy.set(key, { version, requests, failures });
    this.forgetOldest();
    return { requests, failures };
  }

  private forgetOldest(): void {
    const [oldest] = this.byPolicy.keys();
    if (this.byPolicy.size > this.maxCanaries && oldest !== undefined) this.byPolicy.delete(oldest);
  }
}
