import type { AbortCause } from '../../domain/resilience/signal';
import type { AttemptAbort } from './attempt-abort';

/**
 * The attempts under way. An array, not a set: V8 gives a set that comes and goes a new table every few additions, and an old
 * table that has outlived a collection keeps the ones after it, and all that was in them, until the next full collection.
 */
export class RunningAttempts {
  private readonly aborts: AttemptAbort[] = [];

  add(abort: AttemptAbort): void {
    this.aborts.push(abort);
  }

  /** Their order means nothing, so the last one takes the free place. */
  remove(abort: AttemptAbort): void {
    const place = this.aborts.lastIndexOf(abort);
    if (place === -1) return;
    const last = this.aborts.pop();
    if (last !== undefined && last !== abort) this.aborts[place] = last;
  }

  abortAll(cause: AbortCause): void {
    for (const abort of this.aborts) abort.abort(cause);
  }
}
