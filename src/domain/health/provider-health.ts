import { assertNever } from '../kernel/assert-never';
import type { Route } from '../catalog/route';
import type { OfferingId, ProviderId } from '../kernel/ids';
import type { MicroUsd } from '../kernel/money';
import type { FullGroups } from '../rate/full-groups';
import { isThrottled } from './throttle';

/** The per-provider view that the strategies use (DESIGN §6). */
export type ProviderHealth = Readonly<{
  provider: ProviderId;
  healthy: boolean;
  /** EWMA of the time to the first output, milliseconds; null: never seen. */
  latencyMs: number | null;
  /** Price of a million input and a million output tokens together; null: unknown. */
  costMicroUsd: MicroUsd | null;
}>;

/** What is known of a route at one moment. */
export type RouteCondition = Readonly<{
  route: OfferingId;
  circuit: CircuitView;
  /** The provider asked us to wait until then; null or past: not throttled. */
  throttledUntilMs: number | null;
  /** EWMA of the time to the first output, milliseconds; null: never seen. */
  latencyMs: number | null;
}>;

/**
 * `trialTaken`: another request already decides whether the circuit closes. While open that can only be a request
 * which had no other route (DESIGN §5); with the slot free, one such request may take it.
 */
export type CircuitView =
  | Readonly<{ state: 'closed' }>
  | Readonly<{ state: 'open'; untilMs: number; trialTaken: boolean }>
  | Readonly<{ state: 'half_open'; trialTaken: boolean }>;

/** Facts that change while a request runs: judged again before every hop (DESIGN §5). */
export type Conditions = Readonly<{
  nowMs: number;
  conditionOf(route: OfferingId): RouteCondition;
  /** False: an operator has switched the route off, or removed it, even if the plan was made before. */
  isEnabled(route: OfferingId): boolean;
  /** The route at its price of this moment: an operator may have changed it since the plan was made. */
  pricedNow(route: Route): Route;
  /** As they were when they were last looked at; without those that this request has been admitted to. */
  fullGroups: FullGroups;
}>;

/** Whether the circuit lets an ordinary attempt through. */
export function admits(circuit: CircuitView): boolean {
  switch (circuit.state) {
    case 'closed':
      return true;
    case 'half_open':
      return !circuit.trialTaken;
    case 'open':
      return false;
    default:
      return assertNever(circuit);
  }
}

/** Healthy: enabled, the circuit lets it through, and the provider hasn't asked us to wait. */
export function isHealthy(route: Route, conditions: Conditions): boolean {
  const { circuit, throttledUntilMs } = conditions.conditionOf(route.id);
  return route.enabled && admits(circuit) && !isThrottled(throttledUntilMs, conditions.nowMs);
}

/**
 * A provider by its best routes: healthy if one is; latency and cost are the lowest among the healthy ones, or among
 * all if none is.
 */
export function providerHealthOf(
  provider: ProviderId,
  routes: readonly Route[],
  conditions: Conditions,
): ProviderHealth {
  const healthy = routes.filter((route) => isHealthy(route, conditions));
  const usable = healthy.length > 0 ? healthy : routes;
  return {
    provider,
    healthy: healthy.length > 0,
    latencyMs: lowest(usable.map((route) => conditions.conditionOf(route.id).latencyMs)),
    costMicroUsd: lowest(usable.map(unitCostOf)),
  };
}

/** The one number by which prices are ordered: a million input and a million output tokens; null: unknown. */
export function unitCostOf(route: Route): MicroUsd | null {
  return route.price === null ? null : route.price.input + route.price.output;
}

function lowest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.min(...known);
}
