import type { AbortCause } from '../../domain/resilience/signal';
import type { CancelTimer, Timer } from '../port/timer';

/**
 * The one owner of an attempt's end: every limit aborts through it and leaves its cause here, so that nobody has to guess
 * from the shape of an exception why a call ended (FAILURES §2.1). The first cause stays.
 */
export class AttemptAbort {
  private readonly controller = new AbortController();
  private readonly cancels: CancelTimer[] = [];
  /** Resolves when the attempt is aborted; one promise for all who wait. */
  readonly whenAborted = new Promise<void>((resolve) => {
    this.controller.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  private readonly stopListening: (() => void)[] = [];
  private abortCause: AbortCause | null = null;

  constructor(
    private readonly timer: Timer,
    from: Readonly<{ callerGone: AbortSignal; shutdown: AbortSignal }>,
  ) {
    this.follow(from.callerGone, 'caller_gone');
    this.follow(from.shutdown, 'shutdown');
  }

  get signal(): AbortSignal {
    return this.controller.signal;
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
    for (const stop of this.stopListening) stop();
    for (const cancel of this.cancels) cancel();
  }

  private follow(signal: AbortSignal, cause: AbortCause): void {
    if (signal.aborted) return this.abort(cause);
    const onAbort = (): void => this.abort(cause);
    signal.addEventListener('abort', onAbort, { once: true });
    this.stopListening.push(() => signal.removeEventListener('abort', onAbort));
  }
}
