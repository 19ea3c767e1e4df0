import { join } from 'node:path';
import { openSqliteDatabase, type SqliteDatabase } from '../../../src/infra/store/sqlite/sqlite-database';
import { takeWriteLock } from '../../../src/infra/store/sqlite/write-lock';
import { StoreProbe } from '../../../src/infra/store/store-probe';
import { FakeClock } from '../../support/fake-clock';
import { temporaryFolder } from '../../support/store/sqlite-stores';

describe('the probe of the store', () => {
  const folder = temporaryFolder();
  const path = join(folder.path, 'schneeai.db');
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
    folder.remove();
  });

  it('finds a store that takes writes', async () => {
    expect(await probe.takesWrites()).toBe(true);
  });

  it('finds one that can only be read, and finds it well again a second later', async () => {
    const giveBack = takeWriteLock(path);

    expect(await probe.takesWrites()).toBe(false);

    giveBack();
    await clock.advance(999);
    expect(await probe.takesWrites()).toBe(false);
    await clock.advance(1);
    expect(await probe.takesWrites()).toBe(true);
  });
});
