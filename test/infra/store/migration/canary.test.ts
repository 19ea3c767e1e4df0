import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { auditRecordOf } from '../../../../src/infra/store/interaction-row';
import type { InteractionRow } from '../../../../src/infra/store/interaction-row';
import { migrate } from '../../../../src/infra/store/migration/migrate';
import { MIGRATIONS } from '../../../../src/infra/store/migration/migrations';
import type { StoreSchema } from '../../../../src/infra/store/schema';

/** The schema as the migrations before this one left it. */
async function earlierStore(): Promise<Kysely<StoreSchema>> {
  const db = new Kysely<StoreSchema>({ dialect: new SqliteDialect({ database: new Database(':memory:') }) });
  const provider = { getMigrations: () => Promise.resolve({ ...MIGRATIONS }) };
  await new Migrator({ db, provider }).migrateTo('0002-offering-checks');
  return db;
}

/** A row of that schema, which had no canary. */
const EARLIER = {
  request_id: 'req_1',
  tenant: 'ten_1',
  api_key: 'key_1',
  state: 'open',
  opened_at: 1,
  deadline_at: 2,
  requested_model: 'auto',
  stream: 0,
  planned: '[]',
  refusals: '[]',
} as unknown as InteractionRow;

describe('a store from before canaries were recorded', () => {
  it('says of its interactions that they were on none', async () => {
    const db = await earlierStore();
    await db.insertInto('interactions').values(EARLIER).execute();

    await migrate(db);

    const row = await db.selectFrom('interactions').selectAll().executeTakeFirstOrThrow();
    expect(auditRecordOf(row, []).canary).toBe(false);
    await db.destroy();
  });
});
