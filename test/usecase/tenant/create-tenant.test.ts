import { CreateTenant } from '../../../src/usecase/tenant/create-tenant';
import { FakeClock } from '../../support/fake-clock';
import { InMemoryConfiguration } from '../../support/in-memory-configuration';
import { SequentialIds } from '../../support/sequential-ids';

describe('creating tenants', () => {
  const configuration = new InMemoryConfiguration();
  const createTenant = new CreateTenant({
    configuration,
    tenants: configuration,
    ids: new SequentialIds(),
    clock: new FakeClock(),
    defaultFeatures: { failover: true },
  });

  it('takes the operator’s default where nothing is said', async () => {
    const silent = await createTenant.execute({ id: 'silent', name: 'Silent', features: {}, groups: null });
    const loud = await createTenant.execute({
      id: 'loud',
      name: 'Loud',
      features: { failover: false },
      groups: null,
    });

    expect(silent).toMatchObject({ ok: true, value: { features: { failover: true } } });
    expect(loud).toMatchObject({ ok: true, value: { features: { failover: false }, groups: null } });
  });

  it('leaves one of two that are created at once', async () => {
    const both = await Promise.all([
      createTenant.execute({ id: null, name: 'Twin', features: {}, groups: null }),
      createTenant.execute({ id: null, name: 'Twin', features: {}, groups: null }),
    ]);

    expect(both.map(({ ok }) => ok)).toEqual([true, false]);
    expect(both[1]).toMatchObject({ error: { code: 'conflict', param: 'name' } });
  });
});
