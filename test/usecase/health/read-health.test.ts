import { DEFAULT_BREAKER } from '../../../src/domain/health/circuit-breaker';
import { freshHealth, openedUntil } from '../../../src/domain/health/route-health';
import { InMemoryProbes } from '../../../src/infra/health/in-memory-probes';
import { ReadHealth } from '../../../src/usecase/health/read-health';
import { FakeClock } from '../../support/fake-clock';
import { InMemoryConfiguration } from '../../support/in-memory-configuration';
import { InMemoryRouteHealth } from '../../support/in-memory-route-health';
import { aProvider, sampleEntries, withOffering } from '../../support/sample-catalog';

describe('the health of a provider', () => {
  const clock = new FakeClock(1_000_000);
  const entries = withOffering(sampleEntries(), 'mi', { price: null });

  const providersWith = (health: InMemoryRouteHealth) => {
    const configuration = new InMemoryConfiguration({
      ...entries,
      providers: [...entries.providers, aProvider('idle')],
    });
    const view = new ReadHealth({
      configuration,
      health,
      probes: new InMemoryProbes(),
      sharing: { state: () => 'off' },
      clock,
      breaker: DEFAULT_BREAKER,
    }).execute();
    return new Map(view.providers.map((provider) => [provider.provider, provider]));
  };

  it('is that of its best route', () => {
    const health = new InMemoryRouteHealth();
    health.set('oa-1', openedUntil(freshHealth(), 2_000_000));

    expect(providersWith(health).get('openai')).toMatchObject({ healthy: true });
  });

  it('is bad when every route is open or throttled', () => {
    const health = new InMemoryRouteHealth();
    health.set('oa-1', openedUntil(freshHealth(), 2_000_000));
    health.set('oa-2', { ...freshHealth(), throttledUntilMs: 1_000_001 });

    expect(providersWith(health).get('openai')).toMatchObject({ healthy: false });
  });

  it('is good again at the instant at which a throttle ends', () => {
    const health = new InMemoryRouteHealth();
    health.set('mi', { ...freshHealth(), throttledUntilMs: 1_000_000 });

    expect(providersWith(health).get('mistral')).toMatchObject({ healthy: true });
  });

  it('is bad without any route, and has no price where none is known', () => {
    const providers = providersWith(new InMemoryRouteHealth());

    expect(providers.get('idle')).toEqual({
      provider: 'idle',
      healthy: false,
      latencyMs: null,
      costMicroUsd: null,
    });
    expect(providers.get('mistral')).toMatchObject({ healthy: true, costMicroUsd: null });
  });
});
