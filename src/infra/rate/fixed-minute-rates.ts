import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateCounter, RateState } from '../../domain/rate/rate-counter';
import type { RateAdmission, RequestRates } from '../../usecase/port/request-rates';

export type Limiter = Pick<RateLimiterAbstract, 'get' | 'consume' | 'reward'>;

/** Counts with the library; what a counter's limit is, is judged here, so that a new limit holds at once. */
export class FixedMinuteRates implements RequestRates {
  private loaded: Promise<Limiter> | null = null;

  constructor(private readonly load: () => Promise<Limiter>) {}

  look(counters: readonly RateCounter[]): Promise<readonly RateState[]> {
    return Promise.all(counters.map(async (counter) => this.lookAt(counter)));
  }

  async take(counter: RateCounter): Promise<RateAdmission> {
    const before = await this.lookAt(counter);
    if (before.remaining === 0) return { admitted: false, ...before };
    const limiter = await this.limiter();
    const counted = await limiter.consume(nameOf(counter));
    // Who has lost the race for the last point is counted beyond the limit, where it takes nothing from anyone.
    return { admitted: counted.consumedPoints <= counter.limit, ...stateOf(counted, counter) };
  }

  async giveBack(counter: RateCounter): Promise<void> {
    const { resetMs } = await this.lookAt(counter);
    if (resetMs === 0) return;
    const limiter = await this.limiter();
    await limiter.reward(nameOf(counter));
  }

  private async lookAt(counter: RateCounter): Promise<RateState> {
    const limiter = await this.limiter();
    return stateOf(await limiter.get(nameOf(counter)), counter);
  }

  private limiter(): Promise<Limiter> {
    return (this.loaded ??= this.load());
  }
}

function nameOf({ scope, id }: RateCounter): string {
  return `${scope}:${id}`;
}

/** A minute that is over may still be remembered for a moment. */
function stateOf(counted: RateLimiterRes | null, { limit }: RateCounter): RateState {
  if (counted === null || counted.msBeforeNext <= 0) return { remaining: limit, resetMs: 0 };
  return { remaining: Math.max(0, limit - counted.consumedPoints), resetMs: counted.msBeforeNext };
}
