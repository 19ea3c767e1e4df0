import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { Pool } from 'pg';
import { genesisHash, linkHash } from '../../../../src/domain/audit/hash-chain';
import type { StoredRecord } from '../../../../src/domain/audit/canonical-form';
import { sha256 } from '../../../../src/infra/runtime/sha256';
import { chainRowOf } from '../../../../src/infra/store/audit-chain-row';
import { MIGRATIONS } from '../../../../src/infra/store/migration/migrations';
import { PortableColumns } from '../../../../src/infra/store/postgres/portable-columns';
import { TYPE_PARSERS } from '../../../../src/infra/store/postgres/type-parsers';
import type { StoreSchema } from '../../../../src/infra/store/schema';
import { VerifyAudit } from '../../../../src/usecase/audit/verify-audit';
import type { Stores } from '../../../contract/stores';
import { describeOnPostgres, TestDatabase } from '../../../support/postgres/test-database';
import { closing, opening } from '../../../support/store/sample-records';
import { openSqliteStores, storesOn, temporaryFolder } from '../../../support/store/sqlite-stores';

/** A store as an earlier version left it, and the same one opened by this version. */
type Earlier = Readonly<{
  db: Kysely<StoreSchema>;
  reopen: () => Promise<Stores>;
  remove: () => Promise<void>;
}>;

const VERSIONS = Object.keys(MIGRATIONS);
const WITH_CHAINS = '0003-audit-chain';

describe.each(VERSIONS)('a store that was left at %s', (version) => {
  describe('on SQLite', () => opensAs(version, earlierSqlite));
  describeOnPostgres('on PostgreSQL', () => opensAs(version, earlierPostgres));
});

function opensAs(version: string, make: () => Promise<Earlier>): void {
  it('keeps its records, of which every hash still fits, and takes new ones', async () => {
    const earlier = await make();
    const provider = { getMigrations: () => Promise.resolve({ ...MIGRATIONS }) };
    await new Migrator({ db: earlier.db, provider }).migrateTo(version);
    await fill(earlier.db, version);
    await earlier.db.destroy();

    const stores = await earlier.reopen();
    await stores.interactions.open(opening('req_new'));
    await stores.interactions.close(closing('req_new'));

    const { breaks, verifiedOf, unchainedOf } = await new VerifyAudit({
      chains: stores.auditChains,
      hash: sha256,
    }).execute();
    expect(breaks).toEqual([]);
    const hadChains = version >= WITH_CHAINS;
    expect([verifiedOf.get('ten_1'), unchainedOf.get('ten_1')]).toEqual(hadChains ? [2, undefined] : [1, 1]);
    expect(stores.configuration.tenant('ten_1')).toMatchObject({
      name: 'Acme',
      features: { failover: true },
    });
    expect(await stores.auditLog.find('req_old')).toMatchObject({
      state: 'served',
      canary: false,
      closing: { costMicroUsd: 214 },
      ledger: [{ number: 1, outcome: 'served', costMicroUsd: 214 }],
    });
    await stores.close();
    await earlier.remove();
  });
}

/** A tenant and a closed interaction, in the columns that the first version had. */
async function fill(db: Kysely<StoreSchema>, version: string): Promise<void> {
  const tables = db.withTables<Record<'tenants' | 'interactions' | 'attempts', Record<string, unknown>>>();
  await tables.insertInto('tenants').values(TENANT_ROW).execute();
  await tables.insertInto('interactions').values(INTERACTION_ROW).execute();
  await tables.insertInto('attempts').values(ATTEMPT_ROW).execute();
  if (version >= WITH_CHAINS) await chain(db);
}

/** Puts the interaction into a chain, as it is stored. */
async function chain(db: Kysely<StoreSchema>): Promise<void> {
  const genesis = { writer: 'wri_old', openedAtMs: 5, previous: null };
  const row = await db.selectFrom('interactions').selectAll().executeTakeFirstOrThrow();
  const attempts = await db.selectFrom('attempts').selectAll().execute();
  const place = { writer: genesis.writer, sequence: 1 };
  const record: StoredRecord = { kind: 'interaction', row: { ...row, ...place }, attempts };
  const first = genesisHash(genesis, sha256);
  const hash = linkHash(record, first, sha256);
  await db
    .updateTable('interactions')
    .set({ ...place, hash })
    .execute();
  await db
    .insertInto('audit_chains')
    .values({ ...chainRowOf(genesis, first), last_sequence: 1, last_hash: hash })
    .execute();
}

const TENANT_ROW = {
  id: 'ten_1',
  name: 'Acme',
  features: '{"failover":true}',
  eligibility: '{"allowedRegions":null,"exclusions":[],"allowList":null}',
  created_at: 1,
};

const INTERACTION_ROW = {
  request_id: 'req_old',
  tenant: 'ten_1',
  api_key: 'key_1',
  state: 'served',
  opened_at: 10,
  deadline_at: 20,
  requested_model: 'auto',
  stream: 1,
  planned: '[]',
  refusals: '[]',
  closed_at: 15,
  served_route: 'off_1',
  served_provider: 'openai',
  served_model: 'gpt-4o-mini',
  served_upstream_name: 'gpt-4o-mini',
  final_refusals: '[]',
  attempts: 1,
  cost_micro_usd: 214,
  input_tokens: 9,
  output_tokens: 3,
  usage_source: 'provider',
};

const ATTEMPT_ROW = {
  request_id: 'req_old',
  number: 1,
  action: 'initial',
  route: 'off_1',
  provider: 'openai',
  channel: 'ch_1',
  region: 'us',
  model: 'gpt-4o-mini',
  upstream_name: 'gpt-4o-mini',
  trial: 0,
  backoff_ms: 0,
  started_at: 11,
  outcome: 'served',
  ended_at: 15,
  status: 200,
  cost_pico_usd: 213_000_001,
  ignored_params: '[]',
};

function earlierSqlite(): Promise<Earlier> {
  const folder = temporaryFolder();
  const path = join(folder.path, 'gateway.db');
  const db = new Kysely<StoreSchema>({ dialect: new SqliteDialect({ database: new Sqlite(path) }) });
  const remove = () => Promise.resolve(folder.remove());
  return Promise.resolve({ db, reopen: () => openSqliteStores(path), remove });
}

/** One database for all versions: to empty it is far quicker than to make another. */
let shared: Promise<TestDatabase> | null = null;
afterAll(async () => (await shared)?.drop());

async function earlierPostgres(): Promise<Earlier> {
  shared ??= TestDatabase.create('empty');
  const database = await shared;
  await database.query('drop schema public cascade; create schema public');
  const pool = new Pool({ connectionString: database.url.reveal(), max: 1, types: TYPE_PARSERS });
  const db = new Kysely<StoreSchema>({ dialect: new PostgresDialect({ pool }) });
  return {
    db: db.withPlugin(new PortableColumns()),
    reopen: async () => storesOn(await database.open()),
    remove: () => Promise.resolve(),
  };
}
