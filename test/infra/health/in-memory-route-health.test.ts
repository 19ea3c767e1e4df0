import { freshHealth } from '../../../src/domain/health/route-health';
import { InMemoryRouteHealth } from '../../../src/infra/health/in-memory-route-health';

describe('route health in memory', () => {
  it('knows a route that was never used as fresh, without remembering it', () => {
    const health = new InMemoryRouteHealth();

    expect(health.get('off')).toEqual(freshHealth());
    expect(health.all().size).toBe(0);
  });

  it('keeps the last state of each route', () => {
    const health = new InMemoryRouteHealth();
    const throttled = { ...freshHealth(), throttledUntilMs: 5 };

    health.set('a', freshHealth());
    health.set('a', throttled);

    expect(health.get('a')).toBe(throttled);
    expect([...health.all()]).toEqual([['a', throttled]]);
    expect(health.get('b').throttledUntilMs).toBeNull();
  });
});
