import { API_KEY, TENANT } from '../support/store/sample-records';
import type { OpenStores, Stores } from './stores';

export function tenantStoreContract(openStores: OpenStores): void {
  let stores: Stores;
  beforeEach(async () => {
    stores = await openStores();
  });
  afterEach(() => stores.close());

  describe('tenants', () => {
    it('are in the configuration when the insert resolves', async () => {
      expect(await stores.tenants.insertTenant(TENANT)).toBe('stored');

      expect(stores.configuration.tenant('ten_1')).toEqual(TENANT);
      expect(stores.configuration.tenants()).toEqual([TENANT]);
    });

    it.each([
      ['id', { ...TENANT, name: 'Other' }],
      ['name', { ...TENANT, id: 'ten_2' }],
    ])('conflict when the %s is taken, and change nothing', async (_, taken) => {
      await stores.tenants.insertTenant(TENANT);

      expect(await stores.tenants.insertTenant(taken)).toBe('conflict');

      expect(stores.configuration.tenants()).toEqual([TENANT]);
    });

    it('change in name, features and eligibility', async () => {
      const changed = {
        ...TENANT,
        name: 'Acme Europe',
        features: { failover: false },
        groups: [{ name: 'default', rpm: 7 }],
        eligibility: {
          allowedRegions: ['eu-*'],
          exclusions: [{ provider: 'xai', model: null, note: 'contract 12', untilMs: 5_000 }],
          allowList: [{ provider: 'openai', model: 'gpt-4o-mini' }],
        },
      };
      await stores.tenants.insertTenant(TENANT);

      await stores.tenants.updateTenant(changed);

      expect(stores.configuration.tenant('ten_1')).toEqual(changed);
    });

    it("can't be changed before they exist", async () => {
      await expect(stores.tenants.updateTenant(TENANT)).rejects.toThrow('ten_1');
    });
  });

  describe('keys', () => {
    it('are found by the hash of their secret, and listed under their tenant', async () => {
      await stores.tenants.insertTenant(TENANT);

      await stores.tenants.insertKey(API_KEY);

      expect(stores.configuration.keyByHash('a1'.repeat(32))).toEqual(API_KEY);
      expect(stores.configuration.keysOf('ten_1')).toEqual([API_KEY]);
      expect(stores.configuration.keysOf('ten_2')).toEqual([]);
      expect(stores.configuration.keysOf(null)).toEqual([]);
    });

    it("are listed under no tenant when they are an operator's", async () => {
      const key = { ...API_KEY, tenantId: null, expiresAtMs: null };

      await stores.tenants.insertKey(key);

      expect(stores.configuration.keysOf(null)).toEqual([key]);
    });

    it('are revoked at once', async () => {
      await stores.tenants.insertTenant(TENANT);
      await stores.tenants.insertKey(API_KEY);

      await stores.tenants.updateKey({ ...API_KEY, revokedAtMs: 4_000 });

      expect(stores.configuration.keyByHash(API_KEY.secretHash)!.revokedAtMs).toBe(4_000);
      expect(stores.configuration.keysOf('ten_1')).toHaveLength(1);
    });

    it('change in what they may do, and how often', async () => {
      const changed = { ...API_KEY, groups: [], groupStrategy: 'latency', rpm: null } as const;
      await stores.tenants.insertTenant(TENANT);
      await stores.tenants.insertKey(API_KEY);

      await stores.tenants.updateKey(changed);

      expect(stores.configuration.keyByHash(API_KEY.secretHash)).toEqual(changed);
    });

    it('never change their secret', async () => {
      await stores.tenants.insertTenant(TENANT);
      await stores.tenants.insertKey(API_KEY);

      await stores.tenants.updateKey({ ...API_KEY, secretHash: 'b2'.repeat(32), name: 'renamed' });

      expect(stores.configuration.keyByHash('b2'.repeat(32))).toBeUndefined();
      expect(stores.configuration.keyByHash('a1'.repeat(32))!.name).toBe('renamed');
    });

    it('have a secret of their own', async () => {
      await stores.tenants.insertTenant(TENANT);
      await stores.tenants.insertKey(API_KEY);

      await expect(stores.tenants.insertKey({ ...API_KEY, id: 'key_2' })).rejects.toThrow();

      expect(stores.configuration.keysOf('ten_1')).toEqual([API_KEY]);
    });

    it('need a tenant that exists', async () => {
      await expect(stores.tenants.insertKey(API_KEY)).rejects.toThrow();
    });

    it('are not revoked in silence when they do not exist', async () => {
      await expect(stores.tenants.updateKey(API_KEY)).rejects.toThrow('key_1');
    });
  });
}
