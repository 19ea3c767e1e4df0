import { isRouteEnabled, routesAtChannel } from '../../domain/catalog/catalog';
import { observationOf } from '../../domain/health/attempt-observation';
import type { BreakerSettings } from '../../domain/health/circuit-breaker';
import { conditionsAt } from '../../domain/health/conditions-at';
import type { Conditions } from '../../domain/health/provider-health';
import {
  admit,
  admitAsLastResort,
  isCurrent,
  observe,
  openedUntil,
  type Observation,
  type RouteHealth,
} from '../../domain/health/route-health';
import type { Route } from '../../domain/catalog/route';
import type { Attempt } from '../../domain/interaction/attempt';
import type { OfferingId } from '../../domain/kernel/ids';
import { NO_FULL_GROUPS, type FullGroups } from '../../domain/rate/full-groups';
import type { Fault } from '../../domain/resilience/fault';
import type { Clock } from '../port/clock';
import type { Configuration } from '../port/configuration';
import type { IncidentLog } from '../port/incident-log';
import type { RouteHealthStore } from '../port/route-health';
import type { TrialSlots } from '../port/trial-slots';

/** Leave to make one attempt, a trial only once confirmed. It must be settled or released, or a trial slot would stay taken. */
export type Permit = Readonly<{ route: OfferingId; generation: number; trial: boolean }>;

export type RoutePermitsDeps = Readonly<{
  configuration: Pick<Configuration, 'catalog'>;
  health: RouteHealthStore;
  trials: TrialSlots;
  incidents: Pick<IncidentLog, 'accountFault'>;
  clock: Clock;
  breaker: BreakerSettings;
}>;

/** Asks the circuits for leave before an attempt and tells them how it went: the shell around `domain/health`. */
export class RoutePermits {
  constructor(private readonly deps: RoutePermitsDeps) {}

  /** What holds at this moment, for the planner and for the next action; groups are full as their admission saw them. */
  conditions(fullGroups: FullGroups = NO_FULL_GROUPS): Conditions {
    const { configuration, health, clock, breaker } = this.deps;
    const healthOf = (route: OfferingId): RouteHealth => health.get(route);
    const catalog = configuration.catalog();
    return conditionsAt({ catalog, healthOf, breaker, fullGroups }, clock.nowMs());
  }

  /** Null: the route was switched off, or another request took the trial slot, since it was chosen. */
  take(route: OfferingId, kind: 'ordinary' | 'last_resort'): Permit | null {
    const { configuration, health, clock, breaker } = this.deps;
    if (!isRouteEnabled(configuration.catalog(), route)) return null;
    const ask = kind === 'last_resort' ? admitAsLastResort : admit;
    const { health: after, permission } = ask(health.get(route), clock.nowMs(), breaker);
    health.set(route, after);
    if (permission.kind === 'refused') return null;
    return { route, generation: permission.generation, trial: permission.trial };
  }

  /**
   * Whether a trial may be made: its slot is one for all processes. False: another one tries, so this permit is neither settled
   * nor released. Only a trial has to ask.
   */
  confirm({ route, generation }: Permit): Promise<boolean> {
    return this.deps.trials.claim(route, generation);
  }

  /** The attempt has ended: its outcome counts, or is neutral. */
  settle(permit: Permit, attempt: Attempt): void {
    const fault = attempt.outcome.kind === 'failed' ? attempt.outcome.fault : null;
    const counts = isCurrent(this.deps.health.get(permit.route), permit.generation);
    const observation = observationOf(attempt, permit.generation);
    this.report(permit, observation);
    if (counts && fault !== null && observation.outcome === 'account_fault')
      this.openChannel(attempt.route, fault);
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

  /** The account is the channel's, so what its provider says of it holds for every route there (DESIGN §6). */
  private openChannel({ channel, provider }: Route, { status, code }: Fault): void {
    const { configuration, health, incidents, clock, breaker } = this.deps;
    const untilMs = clock.nowMs() + breaker.openMs;
    for (const route of routesAtChannel(configuration.catalog(), channel.id)) {
      health.set(route, openedUntil(health.get(route), untilMs));
    }
    incidents.accountFault({ provider, channel: channel.id, status, code });
  }

  private report(permit: Permit, observation: Observation): void {
    const { health, clock, breaker } = this.deps;
    health.set(permit.route, observe(health.get(permit.route), observation, clock.nowMs(), breaker));
  }
}
