import type { Sleeper } from '../port/sleeper';

/** Who can end an interaction from outside. */
export type Interrupters = Readonly<{ callerGone: AbortSignal; shutdown: AbortSignal }>;

/** Waits before an attempt, and tells who ended the wait; null: nobody did. */
export async function pause(
  sleeper: Sleeper,
  delayMs: number,
  { callerGone, shutdown }: Interrupters,
): Promise<'caller_gone' | 'shutdown' | null> {
  if (callerGone.aborted) return 'caller_gone';
  if (shutdown.aborted) return 'shutdown';
  // Nearly every attempt is a first one, and starts at once.
  if (delayMs <= 0) return null;
  // Not AbortSignal.any: the shutdown signal lives as long as the process, and would remember every wait.
  const either = new AbortController();
  const interrupt = (): void => either.abort();
  const signals = [callerGone, shutdown];
  for (const signal of signals) signal.addEventListener('abort', interrupt, { once: true });
  const slept = await sleeper.sleep(delayMs, either.signal);
  for (const signal of signals) signal.removeEventListener('abort', interrupt);
  if (slept === 'woke') return null;
  return callerGone.aborted ? 'caller_gone' : 'shutdown';
}
