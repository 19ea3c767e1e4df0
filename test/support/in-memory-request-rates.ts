import type { RateCounter, RateState } from '../../src/domain/rate/rate-counter';
import type { Clock } from '../../src/usecase/port/clock';
import type { RateAdmission, RequestRates } from '../../src/usecase/port/request-rates';

const MINUTE_MS = 60_000;

/** Counts in the time of the test. */
export class InMemoryRequestRates implements RequestRates {
  private readonly minutes = new Map<string, { count: number; endsAtMs: number }>();

  constructor(private readonly clock: Clock) {}

  async look(counters: readonly RateCounter[]): Promise<readonly RateState[]> {
    return counters.map((counter) => this.stateOf(counter));
  }

  async take(counter: RateCounter): Promise<RateAdmission> {
    if (this.stateOf(counter).remaining === 0) return { admitted: false, ...this.stateOf(counter) };
    const minute = this.minuteOf(counter) ?? { count: 0, endsAtMs: this.clock.nowMs() + MINUTE_MS };
    minute.count += 1;
    this.minutes.set(nameOf(counter), minute);
    return { admitted: true, ...this.stateOf(counter) };
  }

  async giveBack(counter: RateCounter): Promise<void> {
    const minute = this.minuteOf(counter);
    if (minute !== undefined) minute.count -= 1;
  }

  private stateOf(counter: RateCounter): RateState {
    const minute = this.minuteOf(counter);
    if (minute === undefined) return { remaining: counter.limit, resetMs: 0 };
    return {
      remaining: Math.max(0, counter.limit - minute.count),
      resetMs: minute.endsAtMs - this.clock.nowMs(),
    };
  }

  private minuteOf(counter: RateCounter) {
    const minute = this.minutes.get(nameOf(counter));
    return minute === undefined || minute.endsAtMs <= this.clock.nowMs() ? undefined : minute;
  }
}

function nameOf({ scope, id }: RateCounter): string {
  return `${scope} ${id}`;
}
