import type { RouteHealth } from '../../src/domain/health/route-health';
import { freshHealth } from '../../src/domain/health/route-health';
import type { OfferingId } from '../../src/domain/kernel/ids';
import type { RouteHealthStore } from '../../src/usecase/port/route-health';

export class InMemoryRouteHealth implements RouteHealthStore {
  private readonly states = new Map<OfferingId, RouteHealth>();

  get(route: OfferingId): RouteHealth {
    return this.states.get(route) ?? freshHealth();
  }

  set(route: OfferingId, health: RouteHealth): void {
    this.states.set(route, health);
  }

  all(): ReadonlyMap<OfferingId, RouteHealth> {
    return this.states;
  }
}
