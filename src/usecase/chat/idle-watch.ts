import type { Clock } from '../port/clock';
import type { CancelTimer, Timer } from '../port/timer';

/**
 * Calls `onIdle` when nothing was touched for `limitMs`. A touch only notes the time, so that it is cheap enough for
 * every chunk of every stream: the timer looks when it fires, and waits for the rest.
 */
export class IdleWatch {
  private lastMs: number;
  private cancel: CancelTimer;

  constructor(
    private readonly deps: Readonly<{ clock: Clock; timer: Timer }>,
    private readonly limitMs: number,
    private readonly onIdle: () => void,
  ) {
    this.lastMs = deps.clock.nowMs();
    this.cancel = deps.timer.start(limitMs, () => this.look());
  }

  touch(): void {
    this.lastMs = this.deps.clock.nowMs();
  }

  stop(): void {
    this.cancel();
  }

  private look(): void {
    const remainingMs = this.lastMs + this.limitMs - this.deps.clock.nowMs();
    if (remainingMs <= 0) this.onIdle();
    // At least one millisecond, so that a clock that stands still can't turn this into a busy loop.
    else this.cancel = this.deps.timer.start(Math.max(1, remainingMs), () => this.look());
  }
}
