import type { OfferingId } from '../../domain/kernel/ids';
import type { RouteHealth } from '../../domain/health/route-health';

/** Keeps the health of every route in this process; the rules are in `domain/health`. Bounded by the number of offerings. */
export interface RouteHealthStore {
  /** The state of a route; a route never seen has the state of a fresh one. */
  get(route: OfferingId): RouteHealth;
  set(route: OfferingId, health: RouteHealth): void;
  all(): ReadonlyMap<OfferingId, RouteHealth>;
}
