import type { CancelTimer, Timer } from '../../usecase/port/timer';

/** Node fires a longer timer at once, as if its delay were 1 ms. */
const MAX_DELAY_MS = 2_147_483_647;

export class SystemTimer implements Timer {
  start(delayMs: number, onElapsed: () => void): CancelTimer {
    const timer = setTimeout(onElapsed, Math.min(Math.max(0, delayMs), MAX_DELAY_MS));
    return () => clearTimeout(timer);
  }
}
