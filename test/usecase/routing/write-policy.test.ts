import { RemovePolicy } from '../../../src/usecase/routing/remove-policy';
import { WritePolicy } from '../../../src/usecase/routing/write-policy';
import type { PolicyStore } from '../../../src/usecase/port/policy-store';
import { FakeClock } from '../../support/fake-clock';
import { InMemoryConfiguration } from '../../support/in-memory-configuration';
import { aTenant, sampleEntries } from '../../support/sample-catalog';

const ADDRESS = { tenant: 'ten_1', name: 'main', by: 'key_1' };
const INPUT = { match: ['auto'], primary: { provider: 'openai', model: 'gpt-s' } };

describe('writing a policy while another replica writes it too', () => {
  let configuration: InMemoryConfiguration;

  /** This process has not heard yet of what the other one stored. */
  const stale = () => ({
    tenant: configuration.tenant.bind(configuration),
    catalog: configuration.catalog.bind(configuration),
    policiesOf: () => seen,
  });
  let seen: ReturnType<InMemoryConfiguration['policiesOf']>;

  const writer = (source: Pick<InMemoryConfiguration, 'tenant' | 'catalog' | 'policiesOf'>) =>
    new WritePolicy({ configuration: source, policies: configuration, clock: new FakeClock() });

  beforeEach(async () => {
    configuration = new InMemoryConfiguration(sampleEntries());
    await configuration.insertTenant(aTenant());
    await writer(configuration).execute(ADDRESS, INPUT, { kind: 'none' });
    seen = configuration.policiesOf('ten_1');
    await writer(configuration).execute({ ...ADDRESS, by: 'other' }, INPUT, { kind: 'none' });
  });

  it.each([[{ kind: 'none' }], [{ kind: 'version', versions: [1] }]] as const)(
    'is told of the lost update with %j',
    async (precondition) => {
      const outcome = await writer(stale()).execute(ADDRESS, INPUT, precondition);

      expect(outcome).toMatchObject({ ok: false, error: { code: 'precondition_failed', currentVersion: 2 } });
      expect(await configuration.versions('ten_1', 'main')).toHaveLength(2);
    },
  );

  it('does not remove what it has not seen', async () => {
    const policies: Pick<PolicyStore, 'remove'> = {
      remove: (tenant, name, version) => configuration.remove(tenant, name, version),
    };
    const removePolicy = new RemovePolicy({ configuration: stale(), policies });

    const outcome = await removePolicy.execute('ten_1', 'main', { kind: 'none' });

    expect(outcome).toMatchObject({ ok: false, error: { code: 'precondition_failed' } });
    expect(configuration.policiesOf('ten_1').get('main')?.version).toBe(2);
  });

  it('is not found without its tenant', async () => {
    const outcome = await writer(configuration).execute({ ...ADDRESS, tenant: 'nobody' }, INPUT, {
      kind: 'none',
    });

    expect(outcome).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });
});
