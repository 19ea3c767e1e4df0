import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { MIGRATIONS } from '../../../../src/infra/store/migration/migrations';
import { openSqliteDatabase } from '../../../../src/infra/store/sqlite/sqlite-database';
import { StoreUnavailable } from '../../../../src/usecase/port/store-unavailable';
import { TENANT } from '../../../support/store/sample-records';
import { openSqliteStores, temporaryFolder } from '../../../support/store/sqlite-stores';

describe('SQLite database', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let path: string;
  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder.path, 'data', 'gateway.db');
  });
  afterEach(() => folder.remove());

  const failureOf = (opening: Promise<unknown>): Promise<unknown> =>
    opening.then(
      () => 'opened',
      (error: unknown) => error,
    );

  describe('when it is opened', () => {
    it('makes its folder and its file for the owner only', async () => {
      const database = await openSqliteDatabase(path);

      expect(statSync(join(folder.path, 'data')).mode & 0o777).toBe(0o700);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(statSync(`${path}-wal`).mode & 0o777).toBe(0o600);
      await database.close();
    });

    it('flushes each commit, logs ahead, and checks references', async () => {
      const database = await openSqliteDatabase(path);

      const pragma = (name: string): unknown => database.connection.pragma(name, { simple: true });
      expect(pragma('journal_mode')).toBe('wal');
      expect(pragma('synchronous')).toBe(2);
      expect(pragma('foreign_keys')).toBe(1);
      await database.close();
    });

    it('migrates an empty file once, and leaves it alone the second time', async () => {
      const first = await openSqliteStores(path);
      await first.tenants.insertTenant(TENANT);
      await first.close();

      const database = await openSqliteDatabase(path);

      const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(
        database.kysely,
      );
      expect(rows.map(({ name }) => name)).toEqual(Object.keys(MIGRATIONS));
      expect(await database.kysely.selectFrom('tenants').select('id').execute()).toEqual([{ id: 'ten_1' }]);
      await database.close();
    });

    it('keeps times and money as integers', async () => {
      const database = await openSqliteDatabase(path);

      const { rows } = await sql<{ name: string }>`
        select name from pragma_table_info('interactions') where type not in ('TEXT', 'INTEGER', 'BIGINT', 'text', 'integer', 'bigint')
      `.execute(database.kysely);

      expect(rows).toEqual([]);
      await database.close();
    });

    it('leaves no log behind when it is closed', async () => {
      const database = await openSqliteDatabase(path);

      await database.close();

      expect(() => statSync(`${path}-wal`)).toThrow('ENOENT');
    });
  });

  describe('refuses, with a message for the operator,', () => {
    it('a file that is no database, and leaves it as it is', async () => {
      const damaged = join(folder.path, 'damaged.db');
      writeFileSync(damaged, 'this is not a database, whatever its name says');

      const failure = await failureOf(openSqliteDatabase(damaged));

      expect(failure).toBeInstanceOf(StoreUnavailable);
      expect((failure as Error).message).toContain('is not a SQLite database, or it is damaged');
      expect(readFileSync(damaged, 'utf8')).toBe('this is not a database, whatever its name says');
    });

    it('a damaged database', async () => {
      await (await openSqliteStores(path)).close();
      const bytes = readFileSync(path);
      bytes.fill(0x5a, 100, 4_096);
      writeFileSync(path, bytes);

      const failure = await failureOf(openSqliteDatabase(path));

      expect(failure).toBeInstanceOf(StoreUnavailable);
      expect((failure as Error).message).toContain('is not a SQLite database, or it is damaged');
    });

    it('a schema of a newer version', async () => {
      const database = await openSqliteDatabase(path);
      await sql`insert into kysely_migration (name, timestamp) values ('0099-wallets', '2031-01-01T00:00:00.000Z')`.execute(
        database.kysely,
      );
      await database.close();

      const failure = await failureOf(openSqliteDatabase(path));

      expect(failure).toBeInstanceOf(StoreUnavailable);
      expect((failure as Error).message).toContain(
        'newer version of the gateway (it has the migration 0099-wallets)',
      );
    });

    it('a folder in which no file can be made', async () => {
      writeFileSync(join(folder.path, 'file'), '');

      const failure = await failureOf(openSqliteDatabase(join(folder.path, 'file', 'gateway.db')));

      expect(failure).toBeInstanceOf(StoreUnavailable);
      expect((failure as Error).message).toContain("can't be written");
    });

    it('a folder in place of a file', async () => {
      mkdirSync(join(folder.path, 'gateway.db'));

      const failure = await failureOf(openSqliteDatabase(join(folder.path, 'gateway.db')));

      expect((failure as Error).message).toContain("can't be written (EISDIR)");
    });
  });
});
