import { ConfigurationCache } from '../../../src/infra/store/configuration-cache';
import { ConfigurationRows } from '../../../src/infra/store/configuration-rows';
import { openSqliteDatabase, type SqliteDatabase } from '../../../src/infra/store/sqlite/sqlite-database';
import { SqlTenantStore } from '../../../src/infra/store/tenant-store';
import { StoreUnavailable } from '../../../src/usecase/port/store-unavailable';
import { API_KEY, MODEL, OFFERING, TENANT } from '../../support/store/sample-records';
import { openSqliteStores, temporaryFolder } from '../../support/store/sqlite-stores';
import { fillConfiguration } from '../../support/store/fill-configuration';
import { configurationWriterOn } from '../../support/store/test-chain';

describe('configuration cache', () => {
  let database: SqliteDatabase;
  let cache: ConfigurationCache;
  let tenants: SqlTenantStore;
  beforeEach(async () => {
    database = await openSqliteDatabase(':memory:');
    cache = new ConfigurationCache(new ConfigurationRows(database.kysely));
    await cache.load();
    tenants = new SqlTenantStore(configurationWriterOn(database.kysely, cache));
  });
  afterEach(() => database.close());

  it('keeps what it knows while the store is gone', async () => {
    await tenants.insertTenant(TENANT);
    await database.close();

    await expect(cache.refresh()).rejects.toBeInstanceOf(StoreUnavailable);

    expect(cache.tenant('ten_1')).toEqual(TENANT);
  });

  it('shows nothing of a refresh of which one part cannot be read, and all of it later', async () => {
    await tenants.insertTenant(TENANT);
    const { kysely } = database;
    await kysely.updateTable('tenants').set({ name: 'Renamed' }).execute();
    await kysely
      .insertInto('api_keys')
      .values({
        id: 'key_1',
        tenant: 'ten_1',
        name: 'broken',
        secret_hash: 'hash',
        hint: 'hint',
        scopes: '[not json',
        groups: '[]',
        created_at: 1,
      })
      .execute();
    await kysely
      .insertInto('configuration_changes')
      .values([
        { sequence: 2, concept: 'tenant', id: 'ten_1' },
        { sequence: 3, concept: 'api_key', id: 'key_1' },
      ])
      .execute();

    await expect(cache.refresh()).rejects.toThrow('JSON');
    expect(cache.tenant('ten_1')!.name).toBe('Acme');

    await kysely.updateTable('api_keys').set({ scopes: '["chat"]' }).execute();
    await cache.refresh();
    expect(cache.tenant('ten_1')!.name).toBe('Renamed');
    expect(cache.keyByHash('hash')!.scopes).toEqual(['chat']);
  });

  it('follows more changes than it applies at a time', async () => {
    const reader = new ConfigurationCache(new ConfigurationRows(database.kysely));
    await reader.load();
    for (let number = 0; number < 1_001; number += 1) {
      await tenants.insertTenant({ ...TENANT, id: `ten_${number}`, name: `${number}` });
    }

    await reader.refresh();

    expect(reader.tenants()).toHaveLength(1_001);
  });

  it('forgets a key that is no longer stored', async () => {
    await tenants.insertTenant(TENANT);
    await tenants.insertKey(API_KEY);
    await database.kysely.deleteFrom('api_keys').execute();
    await database.kysely
      .insertInto('configuration_changes')
      .values({ sequence: 3, concept: 'api_key', id: 'key_1' })
      .execute();

    await cache.refresh();

    expect(cache.keyByHash(API_KEY.secretHash)).toBeUndefined();
    expect(cache.keysOf('ten_1')).toEqual([]);
  });

  it('finds everything again after a restart, in the order of registration', async () => {
    const folder = temporaryFolder();
    const path = `${folder.path}/gateway.db`;
    const before = await openSqliteStores(path);
    await before.tenants.insertTenant(TENANT);
    await before.tenants.insertKey(API_KEY);
    await before.catalog.putModel({ ...MODEL, name: 'z-first' });
    await before.catalog.putModel({ ...MODEL, name: 'a-second' });
    await before.catalog.putOffering(OFFERING);
    await before.close();

    const after = await openSqliteStores(path);

    expect(after.configuration.tenants()).toEqual([TENANT]);
    expect(after.configuration.keyByHash(API_KEY.secretHash)).toEqual(API_KEY);
    expect([...after.configuration.catalog().models.keys()]).toEqual(['z-first', 'a-second']);
    expect(after.configuration.catalog().offerings.get(OFFERING.id)).toEqual(OFFERING);
    await after.close();
    folder.remove();
  });

  it('loads whatever there is of tenants, keys and policies', async () => {
    await fillConfiguration(database, 3_000);
    const full = new ConfigurationCache(new ConfigurationRows(database.kysely));

    await full.load();

    expect(full.tenants()).toHaveLength(3_000);
    expect(full.keyByHash('hash_2999')!.id).toBe('key_2999');
    expect(full.policiesOf('ten_2999').get('default')!.policy.primary).toEqual({
      provider: 'openai',
      model: 'gpt-4o-mini',
    });
  });
});
