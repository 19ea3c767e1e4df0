import type { Clock } from '../../src/usecase/port/clock';
import type { Sleeper } from '../../src/usecase/port/sleeper';

/** Time that passes for real, and at once where the gateway would sleep: no test waits for a backoff. */
export class SleeplessTime implements Clock, Sleeper {
  /** Every wait that was asked for, milliseconds; those of 0 are none. */
  readonly slept: number[] = [];
  private skippedMs = 0;

  nowMs(): number {
    return Date.now() + this.skippedMs;
  }

  async sleep(delayMs: number, abort: AbortSignal): Promise<'woke' | 'aborted'> {
    if (abort.aborted) return 'aborted';
    if (delayMs <= 0) return 'woke';
    this.slept.push(delayMs);
    this.skippedMs += delayMs;
    return 'woke';
  }

  /** Lets so much time pass between two requests. */
  skip(byMs: number): void {
    this.skippedMs += byMs;
  }
}
