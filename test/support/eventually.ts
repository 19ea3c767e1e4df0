import { setTimeout as pause } from 'node:timers/promises';

const STEP_MS = 5;
const LIMIT_MS = 5_000;

/** Waits for what another process or a socket brings about; rejects with the last failure if it never does. */
export async function eventually<T>(look: () => T | Promise<T>): Promise<T> {
  const untilMs = Date.now() + LIMIT_MS;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (Date.now() > untilMs) throw error;
    }
    await pause(STEP_MS);
  }
}
