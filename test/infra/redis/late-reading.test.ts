import { DEFAULT_BREAKER } from '../../../src/domain/health/circuit-breaker';
import { freshHealth, openedUntil } from '../../../src/domain/health/route-health';
import { InMemoryRouteHealth } from '../../../src/infra/health/in-memory-route-health';
import type { HealthMessage, RouteChanges } from '../../../src/infra/redis/health-message';
import type { RedisHealthExchange } from '../../../src/infra/redis/redis-health-exchange';
import { SharedRouteHealth } from '../../../src/infra/redis/shared-route-health';
import { FakeClock, settled } from '../../support/fake-clock';

/** An exchange whose answer to a reading comes when the test says so. */
class SlowExchange {
  readonly isUp = true;
  hear: (message: HealthMessage | null) => void = () => undefined;
  answer: (found: readonly RouteChanges[]) => void = () => undefined;

  async listen(hear: (message: HealthMessage | null) => void): Promise<void> {
    this.hear = hear;
  }

  read(): Promise<readonly RouteChanges[]> {
    return new Promise((resolve) => (this.answer = resolve));
  }

  async tell(): Promise<void> {
    return undefined;
  }
}

function reading() {
  const exchange = new SlowExchange();
  const clock = new FakeClock();
  const health = new SharedRouteHealth({
    own: new InMemoryRouteHealth(),
    exchange: exchange as unknown as RedisHealthExchange,
    clock,
    breaker: DEFAULT_BREAKER,
    knows: () => true,
    log: { failed: () => undefined, worked: () => undefined },
  });
  return { exchange, health, clock };
}

const OPENED: RouteChanges = { route: 'mini', changes: [{ kind: 'opened', forMs: 30_000 }] };

/** Without this a circuit that a trial had just closed was open again for the rest of its minute. */
describe('an answer to a reading that was asked for earlier', () => {
  it('is not believed of a route of which a message has come since', async () => {
    const { exchange, health } = reading();
    health.set('mini', openedUntil(freshHealth(), Date.parse('2027-01-01')));
    const syncing = health.sync();
    await settled();

    exchange.hear({ from: 'other', routes: [{ route: 'mini', changes: [{ kind: 'closed' }] }] });
    exchange.answer([OPENED, { ...OPENED, route: 'haiku' }]);
    await syncing;

    expect(health.get('mini').breaker.state).toBe('closed');
    expect(health.get('haiku').breaker.state).toBe('open');
  });

  it('is not believed of a route that this process has changed since', async () => {
    const { exchange, health, clock } = reading();
    health.set('mini', openedUntil(freshHealth(), clock.nowMs() + 30_000));
    const syncing = health.sync();
    await settled();

    health.set('mini', freshHealth());
    exchange.answer([OPENED]);
    await syncing;

    expect(health.get('mini').breaker.state).toBe('closed');
  });
});
