import type { BreakerSettings } from '../../domain/health/circuit-breaker';
import { healthOutcomeOf } from '../../domain/health/health-outcome';
import type { Conditions } from '../../domain/health/provider-health';
import {
  admit,
  admitAsLastResort,
  conditionOf,
  observe,
  type Observation,
} from '../../domain/health/route-health';
import type { Attempt } from '../../domain/interaction/attempt';
import type { OfferingId } from '../../domain/kernel/ids';
import type { Clock } from '../port/clock';
import type { RouteHealthStore } from '../port/route-health';

/** Leave to make one attempt. It must be settled or released, whatever happens, or a trial slot would stay taken. */
export type Permit = Readonly<{ route: OfferingId; generation: number; trial: boolean }>;

/** Asks the circuits for leave before an attempt and tells them how it went: the shell around `domain/health`. */
export class RoutePermits {
  constructor(
    private readonly deps: Readonly<{ health: RouteHealthStore; clock: Clock; breaker: BreakerSettings }>,
  ) {}

  /** What holds at this moment, for the planner and for the next action. */
  conditions(): Conditions {
    const { health, clock, breaker } = this.deps;
    const nowMs = clock.nowMs();
    return { nowMs, conditionOf: (route) => conditionOf(route, health.get(route), nowMs, breaker) };
  }

  /** Null: the circuit refuses, e.g. because another request took the trial slot a moment ago. */
  take(route: OfferingId, kind: 'ordinary' | 'last_resort'): Permit | null {
    const { health, clock, breaker } = this.deps;
    const ask = kind === 'last_resort' ? admitAsLastResort : admit;
    const { health: after, permission } = ask(health.get(route), clock.nowMs(), breaker);
    health.set(route, after);
    if (permission.kind === 'refused') return null;
    return { route, generation: permission.generation, trial: permission.trial };
  }

  /** The attempt has ended: its outcome counts, or is neutral. */
  settle(permit: Permit, attempt: Attempt): void {
    const { outcome, startedAtMs, firstOutputAtMs, endedAtMs } = attempt;
    const fault = outcome.kind === 'failed' ? outcome.fault : null;
    const waitMs = fault?.class === 'rate_limited' ? fault.retryAfterMs : null;
    this.report(permit, {
      outcome: healthOutcomeOf(fault),
      generation: permit.generation,
      latencyMs: firstOutputAtMs === null ? null : firstOutputAtMs - startedAtMs,
      totalMs: fault === null ? endedAtMs - startedAtMs : null,
      throttleUntilMs: waitMs === null ? null : endedAtMs + waitMs,
    });
  }

  /** No attempt came of it: nothing is counted, and a trial slot is free again. */
  release(permit: Permit): void {
    const { generation } = permit;
    this.report(permit, {
      outcome: 'neutral',
      generation,
      latencyMs: null,
      totalMs: null,
      throttleUntilMs: null,
    });
  }

  private report(permit: Permit, observation: Observation): void {
    const { health, clock, breaker } = this.deps;
    health.set(permit.route, observe(health.get(permit.route), observation, clock.nowMs(), breaker));
  }
}
