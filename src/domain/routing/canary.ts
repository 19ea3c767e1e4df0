import type { Target } from './target';

/** A share of the requests goes to another target first, to see how it does before it becomes the primary (DESIGN §4). */
export type Canary = Readonly<{
  target: Target;
  /** Share of the requests, 0 to 100; fractions are possible. */
  percent: number;
  /** What keeps its side of the split: the caller's `user`, the API key, or nothing beyond the request. */
  stickyBy: StickyBy;
  rollbackOn: RollbackRule;
}>;

export const STICKY_BY = ['user', 'key', 'request'] as const;
export type StickyBy = (typeof STICKY_BY)[number];

/** When the canary is taken back without anybody asking. */
export type RollbackRule = Readonly<{
  /** Share of failed requests, 0 to 1, above which it is taken back. */
  errorRate: number;
  /** Before so many requests nothing is decided. */
  minRequests: number;
}>;

/** DESIGN §4: what holds where a canary says nothing. */
export const DEFAULT_ROLLBACK: RollbackRule = { errorRate: 0.2, minRequests: 20 };

/**
 * The canary's target if this request belongs to its share, else null. `draw` (0 ≤ draw < 1) is the hash of the sticky
 * key: a larger percentage keeps everybody who was in the smaller one.
 */
export function canaryTarget(canary: Canary | null, draw: number): Target | null {
  return canary !== null && draw * 100 < canary.percent ? canary.target : null;
}

/** Whether what was observed of the canary calls for taking it back. */
export function callsForRollback(
  rule: RollbackRule,
  seen: Readonly<{ requests: number; failures: number }>,
): boolean {
  return seen.requests >= rule.minRequests && seen.failures > rule.errorRate * seen.requests;
}
