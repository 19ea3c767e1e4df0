import { setTimeout as sleep } from 'node:timers/promises';
import { errorFactsOf } from '../error-facts';

/**
 * How long a write waits for those of other processes, milliseconds. Theirs take single milliseconds, so whoever holds the
 * lock for longer than this is no ordinary writer.
 */
export const LOCK_PATIENCE_MS = 2_000;

const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 20;

/**
 * Does `work` as soon as no other process holds the lock that it needs; rejects with SQLite's own error when that takes
 * longer than `patienceMs`. SQLite would wait by itself, but the whole event loop with it. Work that was refused for the
 * lock must have changed nothing.
 */
export async function whenFree<T>(patienceMs: number, work: () => Promise<T>): Promise<T> {
  let pauseMs = FIRST_PAUSE_MS;
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || waitedMs >= patienceMs) throw error;
      await sleep(pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }
}

export function isBusy(error: unknown): boolean {
  return errorFactsOf(error).code.startsWith('SQLITE_BUSY');
}
