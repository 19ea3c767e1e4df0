import type { OfferingId } from '../kernel/ids';
import {
  admitAttempt,
  admitLastResort,
  FRESH_BREAKER,
  isTrialTaken,
  openUntil,
  reportOutcome,
} from './circuit-breaker';
import type {
  Admission,
  BreakerSettings,
  CircuitBreaker,
  HealthOutcome,
  Permission,
} from './circuit-breaker';
import { addSample, meanOf } from './ewma';
import type { Ewma } from './ewma';
import type { CircuitView, RouteCondition } from './provider-health';
import { throttleUntil } from './throttle';

/** Everything that is remembered of one route: a fixed number of values, however many attempts it has seen. */
export type RouteHealth = Readonly<{
  breaker: CircuitBreaker;
  /** The provider asked us to wait until then; null: it never did. */
  throttledUntilMs: number | null;
  /** Time to the first output, milliseconds; null: never seen. */
  firstOutput: Ewma | null;
  /** Time to the end of the answer, milliseconds; null: never seen. */
  total: Ewma | null;
  /** Share of attempts that served, 0 to 1; neutral ones don't count. Null: never seen. */
  success: Ewma | null;
}>;

/** What one finished attempt showed. */
export type Observation = Readonly<{
  outcome: HealthOutcome;
  /** Of the permission under which the attempt was made. */
  generation: number;
  /** Time to the first output, milliseconds; null: there was none. */
  latencyMs: number | null;
  /** Time to the end of the answer, milliseconds; null: it was not served. */
  totalMs: number | null;
  /** The provider asked us to wait until then; null: it didn't. */
  throttleUntilMs: number | null;
}>;

export type HealthAdmission = Readonly<{ health: RouteHealth; permission: Permission }>;

/** The health of a route that was never used. */
export function freshHealth(): RouteHealth {
  return { breaker: FRESH_BREAKER, throttledUntilMs: null, firstOutput: null, total: null, success: null };
}

/** Asks the circuit for leave to make an attempt. The throttle is the gates' business: it doesn't make a trial. */
export function admit(health: RouteHealth, nowMs: number, settings: BreakerSettings): HealthAdmission {
  return admitted(health, admitAttempt(health.breaker, nowMs, settings));
}

/** The same for a request that has no other route: it may take the trial slot of an open circuit (DESIGN §5). */
export function admitAsLastResort(
  health: RouteHealth,
  nowMs: number,
  settings: BreakerSettings,
): HealthAdmission {
  return admitted(health, admitLastResort(health.breaker, nowMs, settings));
}

function admitted(health: RouteHealth, admission: Admission): HealthAdmission {
  return { health: { ...health, breaker: admission.breaker }, permission: admission.permission };
}

/**
 * Takes in a finished attempt. A late one says nothing to the circuit any more, but its latency was measured and its
 * Retry-After was said. A neutral one leaves the means untouched (FAILURES §5, row 9).
 */
export function observe(
  health: RouteHealth,
  observation: Observation,
  nowMs: number,
  settings: BreakerSettings,
): RouteHealth {
  const known = {
    ...health,
    breaker: reportOutcome(health.breaker, observation, nowMs, settings),
    throttledUntilMs: throttleUntil(health.throttledUntilMs, observation.throttleUntilMs, nowMs),
  };
  if (observation.outcome === 'neutral') return known;
  return {
    ...known,
    firstOutput: withSample(health.firstOutput, observation.latencyMs, nowMs),
    total: withSample(health.total, observation.totalMs, nowMs),
    success: addSample(health.success, observation.outcome === 'success' ? 1 : 0, nowMs),
  };
}

/** When the route served last; -Infinity: never. */
export function lastServedAtMs({ total }: RouteHealth): number {
  return total?.atMs ?? -Infinity;
}

/** Whether the circuit still listens to an attempt that was granted with this generation. */
export function isCurrent(health: RouteHealth, generation: number): boolean {
  return health.breaker.generation === generation;
}

function withSample(mean: Ewma | null, sample: number | null, nowMs: number): Ewma | null {
  return sample === null ? mean : addSample(mean, sample, nowMs);
}

/** Opens the circuit on evidence from elsewhere: another replica, a probe, an account fault on the same channel. */
export function openedUntil(health: RouteHealth, untilMs: number): RouteHealth {
  return { ...health, breaker: openUntil(health.breaker, untilMs) };
}

/** Throttles the route on word from elsewhere: another replica that was told to wait. */
export function throttledUntil(health: RouteHealth, untilMs: number, nowMs: number): RouteHealth {
  return { ...health, throttledUntilMs: throttleUntil(health.throttledUntilMs, untilMs, nowMs) };
}

/** What the gates and strategies see of the route at this moment. */
export function conditionOf(
  route: OfferingId,
  health: RouteHealth,
  nowMs: number,
  settings: BreakerSettings,
): RouteCondition {
  return {
    route,
    circuit: circuitViewOf(health.breaker, nowMs, settings),
    throttledUntilMs: health.throttledUntilMs,
    latencyMs: meanOf(health.firstOutput),
  };
}

/** An open circuit whose time is over shows as half-open, although nobody has asked for the trial yet. */
export function circuitViewOf(
  breaker: CircuitBreaker,
  nowMs: number,
  settings: BreakerSettings,
): CircuitView {
  if (breaker.state === 'closed') return { state: 'closed' };
  const trialTaken = isTrialTaken(breaker, nowMs, settings);
  if (breaker.state === 'half_open' || nowMs >= breaker.untilMs) return { state: 'half_open', trialTaken };
  return { state: 'open', untilMs: breaker.untilMs, trialTaken };
}
