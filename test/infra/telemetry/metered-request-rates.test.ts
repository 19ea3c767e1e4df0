import { Metrics } from '../../../src/infra/telemetry/metrics';
import { MeteredRequestRates } from '../../../src/infra/telemetry/metered-request-rates';
import { FakeClock } from '../../support/fake-clock';
import { InMemoryRequestRates } from '../../support/in-memory-request-rates';

describe('metered request rates', () => {
  it('count what a full key was refused, and leave groups to the records', async () => {
    const metrics = new Metrics();
    const rates = new MeteredRequestRates(new InMemoryRequestRates(new FakeClock()), metrics);
    const key = { scope: 'key', id: 'key_1', limit: 1 } as const;
    const group = { scope: 'group', id: 'acme/premium', limit: 1 } as const;

    for (const counter of [key, key, key, group, group]) await rates.take(counter);

    const { values } = await metrics.admissionsRefused.get();
    expect(values).toMatchObject([{ labels: { scope: 'key' }, value: 2 }]);
    expect(values).toHaveLength(1);
    expect(await rates.look([key, group])).toMatchObject([{ remaining: 0 }, { remaining: 0 }]);
  });
});
