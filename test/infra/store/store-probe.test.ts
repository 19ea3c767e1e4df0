import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { openSqliteDatabase, type SqliteDatabase } from '../../../src/infra/store/sqlite/sqlite-database';
import { StoreProbe } from '../../../src/infra/store/store-probe';
import { FakeClock } from '../../support/fake-clock';

describe('the probe of the store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'store-probe-'));
  const path = join(folder, 'schneeai.db');
  let database: SqliteDatabase;
  let clock: FakeClock;
  let probe: StoreProbe;

  beforeAll(async () => {
    database = await openSqliteDatabase(path);
  });
  beforeEach(() => {
    clock = new FakeClock();
    probe = new StoreProbe(database.kysely, clock);
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  it('finds a store that takes writes', async () => {
    expect(await probe.takesWrites()).toBe(true);
  });

  it('finds one that can only be read, and finds it well again a second later', async () => {
    const other = new Sqlite(path);
    other.exec('BEGIN IMMEDIATE');

    expect(await probe.takesWrites()).toBe(false);

    other.exec('ROLLBACK');
    other.close();
    await clock.advance(999);
    expect(await probe.takesWrites()).toBe(false);
    await clock.advance(1);
    expect(await probe.takesWrites()).toBe(true);
  });
});
