import { isRouteEnabled, pricedBy } from '../catalog/catalog';
import type { Catalog } from '../catalog/catalog';
import type { OfferingId } from '../kernel/ids';
import type { FullGroups } from '../rate/full-groups';
import type { BreakerSettings } from './circuit-breaker';
import type { Conditions } from './provider-health';
import { conditionOf } from './route-health';
import type { RouteHealth } from './route-health';

/** What is known of every route and group, from which the conditions of any moment follow. */
export type Observed = Readonly<{
  catalog: Catalog;
  healthOf: (route: OfferingId) => RouteHealth;
  breaker: BreakerSettings;
  fullGroups: FullGroups;
}>;

/** What holds at one moment, for the planner and for the next action. */
export function conditionsAt(
  { catalog, healthOf, breaker, fullGroups }: Observed,
  nowMs: number,
): Conditions {
  return {
    nowMs,
    conditionOf: (route) => conditionOf(route, healthOf(route), nowMs, breaker),
    isEnabled: (route) => isRouteEnabled(catalog, route),
    pricedNow: (route) => pricedBy(catalog, route),
    fullGroups,
  };
}
