import type { Sleeper } from '../../usecase/port/sleeper';

/** A sleeper that can be told not to wake, so that a drill meets the gateway in the middle of a wait. */
export class HeldSleeper implements Sleeper {
  private held = false;
  private fellAsleep: () => void = () => undefined;

  constructor(private readonly sleeper: Sleeper) {}

  /** From now on no wait ends by itself; resolves when one has begun. */
  hold(): Promise<void> {
    this.held = true;
    return new Promise((resolve) => (this.fellAsleep = resolve));
  }

  /** Waits that begin from now on end again. */
  release(): void {
    this.held = false;
  }

  async sleep(delayMs: number, abort: AbortSignal): Promise<'woke' | 'aborted'> {
    if (!this.held || delayMs <= 0 || abort.aborted) return this.sleeper.sleep(delayMs, abort);
    this.fellAsleep();
    await new Promise<void>((resolve) => abort.addEventListener('abort', () => resolve(), { once: true }));
    return 'aborted';
  }
}
