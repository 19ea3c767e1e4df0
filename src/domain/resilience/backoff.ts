import type { RetrySettings } from '../routing/policy-settings';
import { MAX_DELAY_MS } from './retry-after';

/** 2^30 times any base of a millisecond or more is beyond every cap; a larger exponent could only overflow. */
const MAX_EXPONENT = 30;

/** The draws that move a wait the furthest down and up. */
export const SMALLEST_DRAW = 0;
export const LARGEST_DRAW = 1 - Number.EPSILON / 2;

/**
 * The wait before a retry, whole milliseconds, 0 to `MAX_DELAY_MS`: min(max, base·2^k), moved by up to ± jitter
 * (DESIGN §6; the one formula everywhere). `k` counts the retries that came before on this route, from 0; `draw` is
 * a random number from 0 (included) to 1 (excluded).
 */
export function backoffDelayMs(retry: RetrySettings, k: number, draw: number): number {
  const exponent = Math.min(Math.max(0, k), MAX_EXPONENT);
  const plain = Math.min(retry.maxDelayMs, retry.baseDelayMs * 2 ** exponent);
  const moved = Math.round(plain * (1 + retry.jitter * (2 * draw - 1)));
  return Math.min(Math.max(0, moved), MAX_DELAY_MS);
}
