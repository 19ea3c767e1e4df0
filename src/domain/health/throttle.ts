/**
 * The longest throttle that is believed, milliseconds: one day, the longest wait that providers were seen to name
 * (FAILURES §3.2, Azure). Anything longer is an error of the sender and would lose the route for good.
 */
export const MAX_THROTTLE_MS = 86_400_000;

/** The instant until which the provider wants no calls, after it asked to wait once more: the later one holds. */
export function throttleUntil(
  currentMs: number | null,
  askedMs: number | null,
  nowMs: number,
): number | null {
  if (askedMs === null || askedMs <= nowMs) return currentMs;
  return Math.max(currentMs ?? nowMs, Math.min(askedMs, nowMs + MAX_THROTTLE_MS));
}

/** Whether the wait still runs; at the named instant itself it is over. */
export function isThrottled(untilMs: number | null, nowMs: number): untilMs is number {
  return untilMs !== null && nowMs < untilMs;
}
