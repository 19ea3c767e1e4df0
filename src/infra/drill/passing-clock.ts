import type { Clock } from '../../usecase/port/clock';

/** A clock that can be moved on, over a wait that nobody has to sit through. It never goes back. */
export class PassingClock implements Clock {
  private skippedMs = 0;

  constructor(private readonly real: Clock) {}

  nowMs(): number {
    return this.real.nowMs() + this.skippedMs;
  }

  /** It is at least so late now. */
  passTo(instantMs: number): void {
    this.skippedMs += Math.max(0, instantMs - this.nowMs());
  }
}
