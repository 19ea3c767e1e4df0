import { assertNever } from '../kernel/assert-never';
import type { ApiKeyId } from '../kernel/ids';
import { unitHash } from './unit-hash';
import { isSameTarget } from './target';
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
  /** Share of failed requests, 0 to 1, from which on it is taken back; without any failure it never is. */
  errorRate: number;
  /** Before so many requests nothing is decided. */
  minRequests: number;
}>;

/** DESIGN §4: what holds where a canary says nothing. */
export const DEFAULT_ROLLBACK: RollbackRule = { errorRate: 0.2, minRequests: 20 };

/** Who asks, as far as a canary can stick to it. */
export type CanaryCaller = Readonly<{
  /** What the request names as its end user; null: nobody, so the key stands for all of its users. */
  user: string | null;
  apiKey: ApiKeyId;
  /** Chance, 0 ≤ draw < 1: for `request`, which sticks to nothing. */
  draw: number;
}>;

/**
 * The caller's place in a canary's split, from 0 (included) to 1 (excluded). With the policy's name in the hash, two
 * canaries don't fall upon the same callers.
 */
export function placeOf(stickyBy: StickyBy, caller: CanaryCaller, policyName: string): number {
  switch (stickyBy) {
    case 'request':
      return caller.draw;
    case 'key':
      return unitHash(`${policyName}\n${caller.apiKey}`);
    case 'user':
      return unitHash(`${policyName}\n${caller.apiKey}\n${caller.user ?? ''}`);
    default:
      return assertNever(stickyBy);
  }
}

/**
 * The canary's target if the place lies in its share, else null. A larger percentage keeps everybody who was in the
 * smaller one.
 */
export function canaryTarget(canary: Canary, place: number): Target | null {
  return place * 100 < canary.percent ? canary.target : null;
}

/** What the requests of one canary came to, those that say nothing of it left out. */
export type CanaryTally = Readonly<{ requests: number; failures: number }>;

/** Whether what was observed of the canary calls for taking it back. */
export function callsForRollback(rule: RollbackRule, { requests, failures }: CanaryTally): boolean {
  return requests >= rule.minRequests && failures > 0 && failures / requests >= rule.errorRate;
}

/** Whether two canaries are one and the same, so that what was seen of the one holds for the other. */
export function isSameCanary(one: Canary, other: Canary): boolean {
  return (
    isSameTarget(one.target, other.target) &&
    one.percent === other.percent &&
    one.stickyBy === other.stickyBy &&
    one.rollbackOn.errorRate === other.rollbackOn.errorRate &&
    one.rollbackOn.minRequests === other.rollbackOn.minRequests
  );
}
