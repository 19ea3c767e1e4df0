import { assertNever } from '../kernel/assert-never';
import { closeByTrialElsewhere, reportOutcome } from './circuit-breaker';
import type { BreakerSettings, CircuitBreaker } from './circuit-breaker';
import { openedUntil, throttledUntil } from './route-health';
import type { RouteHealth } from './route-health';

/**
 * What one process tells the others of a route (DESIGN §6, ADR 20): openings, throttles, and how trials end. Outcomes and
 * latencies stay its own. `forMs`: from now on, milliseconds; no wall time crosses, since clocks differ between machines.
 */
export type HealthChange =
  | Readonly<{ kind: 'opened'; forMs: number }>
  /** A trial has served. */
  | Readonly<{ kind: 'closed' }>
  /** The trial that held the slot has ended, however it went. */
  | Readonly<{ kind: 'trial_over' }>
  | Readonly<{ kind: 'throttled'; forMs: number }>;

const NONE: readonly HealthChange[] = [];

/** What there is to tell after a step; nearly every step tells nothing. In the order in which it has to be applied. */
export function changesBetween(
  before: RouteHealth,
  after: RouteHealth,
  nowMs: number,
): readonly HealthChange[] {
  const steady = before.breaker.state === 'closed' && after.breaker.state === 'closed';
  if (steady && before.throttledUntilMs === after.throttledUntilMs) return NONE;
  return [
    ...trialEnd(before.breaker, after.breaker),
    ...turn(before.breaker, after.breaker, nowMs),
    ...throttle(before.throttledUntilMs, after.throttledUntilMs, nowMs),
  ];
}

/**
 * Takes in what another process has told. It is believed as far as our own rules could have led there: no opening lasts
 * longer than one of ours, no throttle longer than the longest that we believe a provider.
 */
export function changedElsewhere(
  health: RouteHealth,
  change: Exclude<HealthChange, { kind: 'trial_over' }>,
  nowMs: number,
  settings: BreakerSettings,
): RouteHealth {
  switch (change.kind) {
    case 'opened':
      return openedUntil(health, nowMs + Math.min(change.forMs, settings.openMs));
    case 'closed':
      return { ...health, breaker: closeByTrialElsewhere(health.breaker, nowMs, settings) };
    case 'throttled':
      return throttledUntil(health, nowMs + change.forMs, nowMs);
    default:
      return assertNever(change);
  }
}

/**
 * Gives back the slot that a trial elsewhere held here. `generation`: of the permission under which it was taken; if the
 * circuit has changed since, there is nothing to give back.
 */
export function trialOverElsewhere(
  health: RouteHealth,
  generation: number,
  nowMs: number,
  settings: BreakerSettings,
): RouteHealth {
  const breaker = reportOutcome(health.breaker, { outcome: 'neutral', generation }, nowMs, settings);
  return { ...health, breaker };
}

function trialEnd(before: CircuitBreaker, after: CircuitBreaker): readonly HealthChange[] {
  const over = trialSince(before) !== null && trialSince(after) === null;
  return over ? [{ kind: 'trial_over' }] : NONE;
}

function turn(before: CircuitBreaker, after: CircuitBreaker, nowMs: number): readonly HealthChange[] {
  if (after.state === 'closed') return before.state === 'closed' ? NONE : [{ kind: 'closed' }];
  if (after.state !== 'open' || after.untilMs <= nowMs) return NONE;
  if (before.state === 'open' && before.untilMs >= after.untilMs) return NONE;
  return [{ kind: 'opened', forMs: after.untilMs - nowMs }];
}

function throttle(beforeMs: number | null, afterMs: number | null, nowMs: number): readonly HealthChange[] {
  if (afterMs === null || afterMs <= Math.max(nowMs, beforeMs ?? nowMs)) return NONE;
  return [{ kind: 'throttled', forMs: afterMs - nowMs }];
}

function trialSince(breaker: CircuitBreaker): number | null {
  return breaker.state === 'closed' ? null : breaker.trialSinceMs;
}
