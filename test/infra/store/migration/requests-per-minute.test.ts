import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { apiKeyOf, type ApiKeyRow } from '../../../../src/infra/store/api-key-row';
import { migrate } from '../../../../src/infra/store/migration/migrate';
import { MIGRATIONS } from '../../../../src/infra/store/migration/migrations';
import type { StoreSchema } from '../../../../src/infra/store/schema';
import { tenantOf, type TenantRow } from '../../../../src/infra/store/tenant-row';

const TENANT = {
  id: 'ten_1',
  name: 'Acme',
  features: '{"failover":true}',
  eligibility: '{}',
  created_at: 1,
} as unknown as TenantRow;
const KEY = {
  id: 'key_1',
  tenant: 'ten_1',
  name: 'app',
  secret_hash: 'hash',
  hint: 'ab12',
  scopes: '["chat"]',
  groups: '["premium"]',
  created_at: 1,
} as unknown as ApiKeyRow;

describe('a store from before requests were limited', () => {
  it('limits nobody, and lets every tenant use every group', async () => {
    const db = new Kysely<StoreSchema>({
      dialect: new SqliteDialect({ database: new Database(':memory:') }),
    });
    const provider = { getMigrations: () => Promise.resolve({ ...MIGRATIONS }) };
    await new Migrator({ db, provider }).migrateTo('0004-canary');
    await db.insertInto('tenants').values(TENANT).execute();
    await db.insertInto('api_keys').values(KEY).execute();

    await migrate(db);

    const tenant = await db.selectFrom('tenants').selectAll().executeTakeFirstOrThrow();
    const key = await db.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow();
    expect(tenantOf(tenant).groups).toBeNull();
    expect(apiKeyOf(key)).toMatchObject({ groups: ['premium'], groupStrategy: null, rpm: null });
    await db.destroy();
  });
});
