import { freshHealth, type RouteHealth } from '../../domain/health/route-health';
import type { OfferingId } from '../../domain/kernel/ids';
import type { RouteHealthStore } from '../../usecase/port/route-health';

const FRESH = freshHealth();

/** Each process learns alone. */
export class InMemoryRouteHealth implements RouteHealthStore {
  private readonly routes = new Map<OfferingId, RouteHealth>();

  get(route: OfferingId): RouteHealth {
    return this.routes.get(route) ?? FRESH;
  }

  set(route: OfferingId, health: RouteHealth): void {
    this.routes.set(route, health);
  }

  all(): ReadonlyMap<OfferingId, RouteHealth> {
    return this.routes;
  }
}
