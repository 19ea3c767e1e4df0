import type { CancelTimer, Timer } from '../../usecase/port/timer';
import type { PassingClock } from './passing-clock';

/** How long a delay really takes, milliseconds. */
export type Haste = (delayMs: number) => number;

const BACKOFF_FACTOR = 1_000;
const LIMIT_FACTOR = 100;
/** A call over loopback takes its milliseconds, and more on a busy machine: no limit on it may fire before that. */
const SHORTEST_LIMIT_MS = 3_000;

/** For waits between attempts, while which nothing happens: a minute takes 60 ms. */
export const HURRIED_BACKOFF: Haste = (delayMs) => Math.ceil(delayMs / BACKOFF_FACTOR);

/** For limits on what somebody else does: five minutes take 3 s, and what is that short already keeps its time. */
export const HURRIED_LIMIT: Haste = (delayMs) =>
  Math.min(delayMs, Math.max(delayMs / LIMIT_FACTOR, SHORTEST_LIMIT_MS));

/** Fires early, and moves the clock on to when it should have fired: to the gateway, all of the delay has passed. */
export class HurriedTimer implements Timer {
  constructor(
    private readonly real: Timer,
    private readonly clock: PassingClock,
    private readonly haste: Haste,
  ) {}

  start(delayMs: number, onElapsed: () => void): CancelTimer {
    const dueMs = this.clock.nowMs() + delayMs;
    return this.real.start(this.haste(delayMs), () => {
      this.clock.passTo(dueMs);
      onElapsed();
    });
  }
}
