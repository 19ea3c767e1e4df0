import type { Clock } from '../../src/usecase/port/clock';
import type { Sleeper } from '../../src/usecase/port/sleeper';
import type { CancelTimer, Timer } from '../../src/usecase/port/timer';

type PendingTimer = Readonly<{ atMs: number; onElapsed: () => void }>;

/** More timers than any test needs: whoever starts them for ever is told so. */
const MAX_TIMERS_PER_RUN = 100_000;

/** Virtual time: it stands until it is moved, and then every timer fires in its order. */
export class FakeClock implements Clock, Sleeper, Timer {
  private readonly pending = new Set<PendingTimer>();

  constructor(private ms = Date.parse('2026-11-30T12:00:00Z')) {}

  /** Timers that are neither elapsed nor cancelled. */
  get pendingTimers(): number {
    return this.pending.size;
  }

  nowMs(): number {
    return this.ms;
  }

  start(delayMs: number, onElapsed: () => void): CancelTimer {
    const timer = { atMs: this.ms + Math.max(0, delayMs), onElapsed };
    this.pending.add(timer);
    return () => void this.pending.delete(timer);
  }

  async sleep(delayMs: number, abort: AbortSignal): Promise<'woke' | 'aborted'> {
    if (abort.aborted) return 'aborted';
    if (delayMs <= 0) return 'woke';
    return new Promise((resolve) => {
      const onAbort = (): void => {
        cancel();
        resolve('aborted');
      };
      const cancel = this.start(delayMs, () => {
        abort.removeEventListener('abort', onAbort);
        resolve('woke');
      });
      abort.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Moves the time and fires what is due on the way; promises settle before and after each timer. */
  async advance(byMs: number): Promise<void> {
    const untilMs = this.ms + byMs;
    await settled();
    for (let timer = this.next(untilMs); timer !== null; timer = this.next(untilMs)) await this.fire(timer);
    this.ms = untilMs;
  }

  /** Moves the time from timer to timer until none is left. */
  async run(): Promise<void> {
    await settled();
    let fired = 0;
    for (let timer = this.next(Infinity); timer !== null; timer = this.next(Infinity)) {
      await this.fire(timer);
      fired += 1;
      if (fired > MAX_TIMERS_PER_RUN) throw new Error('timers start timers without end');
    }
  }

  /** The timer that is due first; the older one where two are due together. */
  private next(untilMs: number): PendingTimer | null {
    let first: PendingTimer | null = null;
    for (const timer of this.pending) {
      if (timer.atMs <= untilMs && (first === null || timer.atMs < first.atMs)) first = timer;
    }
    return first;
  }

  private async fire(timer: PendingTimer): Promise<void> {
    this.pending.delete(timer);
    this.ms = Math.max(this.ms, timer.atMs);
    timer.onElapsed();
    await settled();
  }
}

/** Resolves when every promise that can settle without time has done so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
