import { assertNever } from '../kernel/assert-never';
import { countOutcomes, EMPTY_WINDOW, recordOutcome } from './outcome-window';
import type { OutcomeWindow, WindowSettings } from './outcome-window';

/**
 * The circuit breaker of one route (DESIGN §6). Open refuses. `generation` names the attempts that may still report:
 * it rises with every change of state and with every trial, so a late result of an earlier time changes nothing.
 */
export type CircuitBreaker = ClosedCircuit | OpenCircuit | HalfOpenCircuit;

export type ClosedCircuit = Readonly<{
  state: 'closed';
  generation: number;
  window: OutcomeWindow;
  /** Null: it has been closed for longer than a window, or ever since the start. */
  probation: Probation | null;
}>;

/**
 * For one window after an outage the share of failures doesn't protect a route: as many failures in a row as open a quiet
 * one open it again. Without it a provider that comes and goes would win back its credit by each minute in which it works,
 * and every outage would cost as many failed attempts as that minute had successes (ADR 10).
 */
export type Probation = Readonly<{ untilMs: number; failuresInRow: number }>;

export type OpenCircuit = Readonly<{
  state: 'open';
  generation: number;
  /** From this instant on one trial is admitted. */
  untilMs: number;
  /** Since when a last-resort trial holds the slot; null: the slot is free. */
  trialSinceMs: number | null;
}>;

export type HalfOpenCircuit = Readonly<{
  state: 'half_open';
  generation: number;
  /** Since when a trial holds the slot; null: the slot is free. */
  trialSinceMs: number | null;
}>;

export type BreakerSettings = WindowSettings &
  Readonly<{
    /** It opens at so many failures in the window or more, or so many in a row while on probation… */
    minFailures: number;
    /** …the former if they are at least this share of all outcomes in the window, 0 to 1. */
    failureShare: number;
    /** How long it stays open, milliseconds. */
    openMs: number;
    /** A trial that has reported nothing for so long has lost its slot, milliseconds. */
    trialLeaseMs: number;
  }>;

/** DESIGN §6. The lease is the longest deadline that a policy can set: no trial that still runs can lose its slot. */
export const DEFAULT_BREAKER: BreakerSettings = {
  windowMs: 300_000,
  bucketMs: 10_000,
  minFailures: 3,
  failureShare: 0.5,
  openMs: 60_000,
  trialLeaseMs: 3_600_000,
};

/** What an attempt says about its route. `neutral` counts neither way; `account_fault` is structured proof (DESIGN §6). */
export type HealthOutcome = 'success' | 'failure' | 'neutral' | 'account_fault';

/** Leave to make one attempt. Whoever was granted it must report an outcome with the same generation. */
export type Permission =
  | Readonly<{ kind: 'granted'; generation: number; trial: boolean }>
  /** `untilMs`: when a trial may be admitted; null: another trial decides, and nobody knows when. */
  | Readonly<{ kind: 'refused'; untilMs: number | null }>;

export type Admission = Readonly<{ breaker: CircuitBreaker; permission: Permission }>;

export const FRESH_BREAKER: CircuitBreaker = {
  state: 'closed',
  generation: 0,
  window: EMPTY_WINDOW,
  probation: null,
};

/** Asks for leave to make an attempt: always while closed, never while open, one trial at a time while half-open. */
export function admitAttempt(breaker: CircuitBreaker, nowMs: number, settings: BreakerSettings): Admission {
  if (breaker.state === 'open' && nowMs < breaker.untilMs) {
    return { breaker, permission: { kind: 'refused', untilMs: breaker.untilMs } };
  }
  return admitLastResort(breaker, nowMs, settings);
}

/**
 * The same for a request that has no other route: it may take the trial slot before the circuit's time is over (DESIGN §5).
 * A breaker must not turn a possible answer into a certain error, and must not let a herd through.
 */
export function admitLastResort(
  breaker: CircuitBreaker,
  nowMs: number,
  settings: BreakerSettings,
): Admission {
  if (breaker.state === 'closed') {
    return { breaker, permission: { kind: 'granted', generation: breaker.generation, trial: false } };
  }
  const untilMs = breaker.state === 'open' && nowMs < breaker.untilMs ? breaker.untilMs : null;
  if (isTrialTaken(breaker, nowMs, settings)) {
    return { breaker, permission: { kind: 'refused', untilMs } };
  }
  const generation = breaker.generation + 1;
  const slot = { generation, trialSinceMs: nowMs };
  return {
    breaker: untilMs === null ? { state: 'half_open', ...slot } : { state: 'open', untilMs, ...slot },
    permission: { kind: 'granted', generation, trial: true },
  };
}

/** Takes in what the attempt with that generation has shown. A result of another generation is ignored. */
export function reportOutcome(
  breaker: CircuitBreaker,
  report: Readonly<{ outcome: HealthOutcome; generation: number }>,
  nowMs: number,
  settings: BreakerSettings,
): CircuitBreaker {
  if (report.generation !== breaker.generation) return breaker;
  switch (report.outcome) {
    case 'account_fault':
      return opened(breaker, nowMs + settings.openMs);
    case 'neutral':
      return breaker.state === 'closed' ? breaker : { ...breaker, trialSinceMs: null };
    case 'success':
      return breaker.state === 'closed'
        ? afterSuccess(breaker, nowMs, settings)
        : closed(breaker, nowMs + settings.windowMs);
    case 'failure':
      if (breaker.state !== 'closed') return opened(breaker, nowMs + settings.openMs);
      return afterFailure(breaker, nowMs, settings);
    default:
      return assertNever(report.outcome);
  }
}

/**
 * Opens the circuit on evidence from elsewhere: another replica, a probe, or an account fault on another route of the
 * channel. It can lengthen an opening but never shortens it, and leaves a running trial its slot and its say.
 */
export function openUntil(breaker: CircuitBreaker, untilMs: number): CircuitBreaker {
  if (breaker.state === 'closed') return opened(breaker, untilMs);
  const earlierMs = breaker.state === 'open' ? breaker.untilMs : untilMs;
  return {
    state: 'open',
    generation: breaker.generation,
    untilMs: Math.max(earlierMs, untilMs),
    trialSinceMs: breaker.trialSinceMs,
  };
}

/** Closes the circuit because a trial elsewhere has served: as after one of our own, which has no say any more. */
export function closeByTrialElsewhere(
  breaker: CircuitBreaker,
  nowMs: number,
  settings: BreakerSettings,
): CircuitBreaker {
  return breaker.state === 'closed' ? breaker : closed(breaker, nowMs + settings.windowMs);
}

/** Whether a trial holds the one slot at this moment. */
export function isTrialTaken(
  breaker: OpenCircuit | HalfOpenCircuit,
  nowMs: number,
  settings: BreakerSettings,
): boolean {
  return breaker.trialSinceMs !== null && nowMs < breaker.trialSinceMs + settings.trialLeaseMs;
}

function afterSuccess(breaker: ClosedCircuit, nowMs: number, settings: BreakerSettings): CircuitBreaker {
  const window = recordOutcome(breaker.window, { successes: 1, failures: 0 }, nowMs, settings);
  return { ...breaker, window, probation: counted(breaker.probation, nowMs, () => 0) };
}

function afterFailure(breaker: ClosedCircuit, nowMs: number, settings: BreakerSettings): CircuitBreaker {
  const window = recordOutcome(breaker.window, { successes: 0, failures: 1 }, nowMs, settings);
  const { successes, failures } = countOutcomes(window, nowMs, settings);
  const probation = counted(breaker.probation, nowMs, (before) => before + 1);
  const relapses = probation !== null && probation.failuresInRow >= settings.minFailures;
  const trips =
    failures >= settings.minFailures && failures >= settings.failureShare * (successes + failures);
  return relapses || trips ? opened(breaker, nowMs + settings.openMs) : { ...breaker, window, probation };
}

/** A probation that still runs, with its count of failures in a row; null: it is over. */
function counted(
  probation: Probation | null,
  nowMs: number,
  count: (failuresInRow: number) => number,
): Probation | null {
  if (probation === null || nowMs >= probation.untilMs) return null;
  return { ...probation, failuresInRow: count(probation.failuresInRow) };
}

function opened(breaker: CircuitBreaker, untilMs: number): CircuitBreaker {
  return { state: 'open', generation: breaker.generation + 1, untilMs, trialSinceMs: null };
}

function closed(breaker: CircuitBreaker, probationUntilMs: number): CircuitBreaker {
  return {
    state: 'closed',
    generation: breaker.generation + 1,
    window: EMPTY_WINDOW,
    probation: { untilMs: probationUntilMs, failuresInRow: 0 },
  };
}
