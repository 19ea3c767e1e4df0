import type { PolicySettings } from '../routing/policy-settings';

/** How long an interaction may take. One deadline holds for all of it: queueing, waits and attempts (DESIGN §6). */
export type Budget = Readonly<{
  openedAtMs: number;
  deadlineAtMs: number;
  /** An attempt with less time left than this isn't started. */
  minAttemptMs: number;
}>;

/** Upstream calls of one interaction, whatever its policy says (DESIGN §6). */
export const MAX_ATTEMPTS = 8;

/** Whether an attempt that starts after the delay still has its minimum of time. */
export function fitsBudget(budget: Budget, nowMs: number, delayMs: number): boolean {
  return budget.deadlineAtMs - nowMs - delayMs >= budget.minAttemptMs;
}

/** The budget of an interaction under a policy: of its own deadline and all other limits (milliseconds) the smallest holds. */
export function budgetOf(
  openedAtMs: number,
  { timeouts, minAttemptMs }: PolicySettings,
  limitsMs: readonly number[],
): Budget {
  return {
    openedAtMs,
    deadlineAtMs: openedAtMs + Math.min(timeouts.deadlineMs, ...limitsMs),
    minAttemptMs,
  };
}
