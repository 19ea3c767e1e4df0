import type { PolicyVersion } from '../../src/domain/routing/policy-version';
import { RoutingPolicy } from '../../src/domain/routing/routing-policy';
import { TENANT } from '../support/store/sample-records';
import type { OpenStores, Stores } from './stores';

function policy(model: string): RoutingPolicy {
  const created = RoutingPolicy.create({
    match: ['auto'],
    primary: { provider: 'openai', model },
    fallbacks: [{ provider: 'anthropic', model: 'claude-haiku-4-5' }],
  });
  if (!created.ok) throw new Error(JSON.stringify(created.error));
  return created.value;
}

function version(number: number, changes: Partial<PolicyVersion> = {}): PolicyVersion {
  return {
    tenant: 'ten_1',
    name: 'default',
    version: number,
    policy: policy(`model-${number}`),
    createdAtMs: 2_000 + number,
    createdBy: 'key_1',
    restoredFrom: null,
    ...changes,
  };
}

export function policyStoreContract(openStores: OpenStores): void {
  let stores: Stores;
  beforeEach(async () => {
    stores = await openStores();
    await stores.tenants.insertTenant(TENANT);
    await stores.tenants.insertTenant({ ...TENANT, id: 'ten_2', name: 'Other' });
  });
  afterEach(() => stores.close());

  const current = (tenant = 'ten_1') => stores.configuration.policiesOf(tenant);

  it('shows a tenant without policies none', () => {
    expect(current().size).toBe(0);
  });

  it('makes the version that was added the current one, with all its data', async () => {
    expect(await stores.policies.append(version(1))).toBe('stored');
    expect(await stores.policies.append(version(2, { restoredFrom: 1 }))).toBe('stored');

    const found = current().get('default')!;
    expect(found).toMatchObject({
      tenant: 'ten_1',
      name: 'default',
      version: 2,
      createdAtMs: 2_002,
      createdBy: 'key_1',
      restoredFrom: 1,
    });
    expect(found.policy.toData()).toEqual(policy('model-2').toData());
  });

  it.each([
    ['repeated', 2],
    ['skipped', 4],
    ['0', 0],
  ])('conflicts when the version is %s, and changes nothing', async (_, number) => {
    await stores.policies.append(version(1));
    await stores.policies.append(version(2));

    expect(await stores.policies.append(version(number))).toBe('conflict');

    expect(current().get('default')!.version).toBe(2);
    expect(await stores.policies.versions('ten_1', 'default')).toHaveLength(2);
  });

  it('lets one of two writers of the same version win', async () => {
    const outcomes = await Promise.all([
      stores.policies.append(version(1)),
      stores.policies.append(version(1)),
    ]);

    expect(outcomes).toEqual(['stored', 'conflict']);
  });

  it('lists all versions, newest first', async () => {
    await stores.policies.append(version(1));
    await stores.policies.append(version(2));

    const versions = await stores.policies.versions('ten_1', 'default');

    expect(versions.map((each) => [each.version, each.policy.toData().primary])).toEqual([
      [2, { provider: 'openai', model: 'model-2' }],
      [1, { provider: 'openai', model: 'model-1' }],
    ]);
  });

  it('keeps names and tenants apart', async () => {
    await stores.policies.append(version(1));
    await stores.policies.append(version(1, { name: 'batch' }));
    await stores.policies.append(version(1, { tenant: 'ten_2' }));

    expect([...current().keys()].sort()).toEqual(['batch', 'default']);
    expect([...current('ten_2').keys()]).toEqual(['default']);
    expect(await stores.policies.versions('ten_2', 'batch')).toEqual([]);
  });

  describe('removal', () => {
    it('takes the policy away and keeps its versions', async () => {
      await stores.policies.append(version(1));

      expect(await stores.policies.remove('ten_1', 'default', 1)).toBe('removed');

      expect(current().size).toBe(0);
      expect(await stores.policies.versions('ten_1', 'default')).toHaveLength(1);
    });

    it('conflicts when another version is current', async () => {
      await stores.policies.append(version(1));
      await stores.policies.append(version(2));

      expect(await stores.policies.remove('ten_1', 'default', 1)).toBe('conflict');

      expect(current().get('default')!.version).toBe(2);
    });

    it('conflicts when there is nothing to remove', async () => {
      expect(await stores.policies.remove('ten_1', 'default', 1)).toBe('conflict');
    });

    it('leaves the numbers used: a policy written anew counts on', async () => {
      await stores.policies.append(version(1));
      await stores.policies.remove('ten_1', 'default', 1);

      expect(await stores.policies.append(version(1))).toBe('conflict');
      expect(await stores.policies.append(version(2))).toBe('stored');

      expect(current().get('default')!.version).toBe(2);
    });
  });
}
