import type { AbortCause } from '../../domain/resilience/signal';
import type { CancelTimer, Timer } from '../port/timer';

/**
 * The one owner of an attempt's end: every limit aborts through it and leaves its cause here, so that nobody has to guess
 * from the shape of an exception why a call ended (FAILURES §2.1). The first cause stays.
 */
export class AttemptAbort {
  private readonly controller = new AbortController();
  private readonly cancels: CancelTimer[] = [];
  private aborted: Promise<void> | null = null;
  private abortCause: AbortCause | null = null;

  constructor(
    private readonly timer: Timer,
    private readonly callerGone: AbortSignal,
  ) {
    if (callerGone.aborted) this.leave();
    else callerGone.addEventListener('abort', this.leave, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Resolves when the attempt is aborted; one promise for all who wait. */
  get whenAborted(): Promise<void> {
    this.aborted ??= new Promise((resolve) => {
      if (this.signal.aborted) resolve();
      else this.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    return this.aborted;
  }

  /** Why we ended the attempt; null: we didn't. */
  get cause(): AbortCause | null {
    return this.abortCause;
  }

  abort(cause: AbortCause): void {
    if (this.abortCause !== null) return;
    this.abortCause = cause;
    this.controller.abort(cause);
  }

  /** Aborts with `cause` after `delayMs`, at once if none is left; unless cancelled or disposed of before. */
  after(delayMs: number, cause: AbortCause): CancelTimer {
    if (delayMs <= 0) this.abort(cause);
    const cancel = this.timer.start(delayMs, () => this.abort(cause));
    this.cancels.push(cancel);
    return cancel;
  }

  /** Aborts with `cause` after `delayMs` if that is worth it at that moment; unless cancelled or disposed of before. */
  afterIf(delayMs: number, cause: AbortCause, isWorthIt: () => boolean): CancelTimer {
    const cancel = this.timer.start(Math.max(0, delayMs), () => {
      if (this.abortCause === null && isWorthIt()) this.abort(cause);
    });
    this.cancels.push(cancel);
    return cancel;
  }

  /** Leaves no timer and no listener behind. */
  dispose(): void {
    this.callerGone.removeEventListener('abort', this.leave);
    for (const cancel of this.cancels) cancel();
  }

  private readonly leave = (): void => this.abort('caller_gone');
}
