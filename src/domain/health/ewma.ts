/**
 * An exponentially weighted mean whose weights fade with time, not with the number of samples. A fixed alpha would
 * forget a busy route's last minute within a second, and keep a quiet route's bad morning until the evening.
 */
export type Ewma = Readonly<{
  /** Faded sum of the samples, and faded count of them; the mean is their quotient. */
  sum: number;
  weight: number;
  /** When the last sample was taken. */
  atMs: number;
}>;

/** A sample counts half after one breaker window (DESIGN §6), so that both views of a route speak of the same time. */
export const EWMA_HALF_LIFE_MS = 300_000;

/** Null is a mean without samples. A clock that went back fades nothing. */
export function addSample(mean: Ewma | null, sample: number, nowMs: number): Ewma {
  if (mean === null) return { sum: sample, weight: 1, atMs: nowMs };
  const elapsedMs = Math.max(0, nowMs - mean.atMs);
  const fade = 2 ** (-elapsedMs / EWMA_HALF_LIFE_MS);
  return { sum: mean.sum * fade + sample, weight: mean.weight * fade + 1, atMs: mean.atMs + elapsedMs };
}

/** The mean of the samples; null: there were none. */
export function meanOf(mean: Ewma | null): number | null {
  return mean === null ? null : mean.sum / mean.weight;
}
