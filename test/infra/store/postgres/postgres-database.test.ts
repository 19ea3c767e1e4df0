import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { SecretUrl } from '../../../../src/infra/config/secret-url';
import { MIGRATIONS } from '../../../../src/infra/store/migration/migrations';
import { openPostgresDatabase } from '../../../../src/infra/store/postgres/postgres-database';
import { openPostgresForReading } from '../../../../src/infra/store/postgres/postgres-reading';
import { problemOf } from '../../../../src/infra/store/postgres/server-requirements';
import { safeInteger } from '../../../../src/infra/store/postgres/type-parsers';
import { StoreUnavailable } from '../../../../src/usecase/port/store-unavailable';
import { describeOnPostgres, TestDatabase } from '../../../support/postgres/test-database';

const SECRET = 'pa55-w0rd';

function open(url: string, size = 2) {
  const parsed = SecretUrl.parse(url, ['postgres:']);
  if (parsed === null) throw new Error('The test has no URL.');
  return openPostgresDatabase({ url: parsed, size, onLost: () => undefined });
}

async function failureOf(opening: Promise<unknown>): Promise<string> {
  const error = await opening.then(
    () => 'opened',
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StoreUnavailable);
  return (error as Error).message;
}

describeOnPostgres('PostgreSQL database', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await TestDatabase.create('empty');
  });
  afterEach(() => database.drop());

  const elsewhere = (change: (url: URL) => void): string => {
    const url = new URL(database.url.reveal());
    change(url);
    return url.href;
  };

  describe('when it is opened', () => {
    it('is migrated once by replicas that start at the same moment', async () => {
      const opened = await Promise.all([1, 2, 3, 4].map(() => database.open()));

      const migrated = opened.map((one) => one.migrated).filter((names) => names.length > 0);
      expect(migrated).toEqual([Object.keys(MIGRATIONS)]);
      await Promise.all(opened.map((one) => one.close()));
    });

    it('lets replicas do one after the other what only one may do', async () => {
      const opened = await Promise.all([1, 2, 3].map(() => database.open()));
      let inside = 0;
      let most = 0;

      const turns = opened.map((one) =>
        one.inTurn(async () => {
          most = Math.max(most, ++inside);
          await one.kysely.selectFrom('tenants').select('id').execute();
          inside -= 1;
        }),
      );
      await Promise.all(turns);

      expect(most).toBe(1);
      await expect(opened[0]!.inTurn(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
      expect(await opened[1]!.inTurn(async () => 'free again')).toBe('free again');
      await Promise.all(opened.map((one) => one.close()));
    });

    it('says on its connections who they belong to, and bounds what they wait for', async () => {
      const opened = await database.open();
      const setting = async (name: string): Promise<unknown> =>
        (await opened.interactions.query(`select current_setting('${name}') as value`)).rows[0];

      expect(await setting('application_name')).toEqual({ value: 'schneeai-gateway' });
      expect(await setting('statement_timeout')).toEqual({ value: '5s' });
      expect(await setting('idle_in_transaction_session_timeout')).toEqual({ value: '5s' });
      await opened.close();
    });

    describe('beside settings of the operator', () => {
      const kept = process.env['PGOPTIONS'];
      afterEach(() => {
        if (kept === undefined) delete process.env['PGOPTIONS'];
        else process.env['PGOPTIONS'] = kept;
      });
      const ASKED = '-c search_path=gw,public';

      // The connection that writes interactions lost PGOPTIONS: all others migrated and read in another schema.
      it.each([
        ['in PGOPTIONS', () => database.url.reveal(), ASKED],
        ['in the URL', () => elsewhere((url) => url.searchParams.set('options', ASKED)), ''],
      ])('%s, keeps both theirs and ours', async (_where, url, environment) => {
        process.env['PGOPTIONS'] = environment;
        await database.query('create schema gw');
        const opened = await open(url());
        const reading = await openPostgresForReading(SecretUrl.parse(url(), ['postgres:'])!);

        const { rows } = await opened.interactions.query(
          "select current_setting('search_path') as path, current_setting('enable_seqscan') as seqscan",
        );
        expect(rows).toEqual([{ path: 'gw,public', seqscan: 'off' }]);
        const looked = await reading!.kysely
          .selectNoFrom(
            sql<string>`current_setting('search_path') || ' ' || current_setting('default_transaction_read_only')`.as(
              'both',
            ),
          )
          .execute();
        expect(looked).toEqual([{ both: 'gw,public on' }]);
        expect(opened.columns.interactions).toContain('request_id');

        await reading!.close();
        await opened.close();
      });
    });

    it('orders every text by bytes and holds every number whole, whatever the language of the database', async () => {
      await (await database.open()).close();

      const { rows } = await database.query(`
        select table_name, column_name, data_type, collation_name from information_schema.columns
        where table_schema = 'public' and table_name not like 'kysely%'
          and not (data_type = 'bigint' or (data_type = 'text' and collation_name = 'C'))`);

      expect(rows).toEqual([]);
    });

    it('may be looked into without a write, and is none before its first migration', async () => {
      expect(await openPostgresForReading(database.url)).toBeNull();
      await (await database.open()).close();

      const reading = await openPostgresForReading(database.url);

      const writing = reading?.kysely.updateTable('audit_baseline').set({ unchained: 7 }).execute();
      await expect(writing).rejects.toThrow('read-only');
      await reading?.close();
    });
  });

  describe('refuses, with a message for the operator that holds no password,', () => {
    it('a server that is not there', async () => {
      const message = await failureOf(open(`postgres://gateway:${SECRET}@127.0.0.1:1/schneeai`));

      expect(message).toBe(
        "postgres://127.0.0.1:1/schneeai can't be reached (ECONNREFUSED). Is the server running, and are host and port of DATABASE_URL right?",
      );
    });

    it('a host that is not known', async () => {
      const message = await failureOf(open(`postgres://gateway:${SECRET}@nowhere.invalid/schneeai`));

      expect(message).toMatch(/^postgres:\/\/nowhere\.invalid\/schneeai can't be reached \(E[A-Z_]+\)/);
    });

    it('a port on which somebody else answers', async () => {
      const other: Server = createServer((socket) => socket.end('220 mail.example ESMTP\r\n'));
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const { port } = other.address() as AddressInfo;

      const message = await failureOf(open(`postgres://gateway:${SECRET}@127.0.0.1:${port}/schneeai`));

      expect(message).toMatch(/schneeai (doesn't answer|can't be opened|can't be reached)/);
      expect(message).not.toContain(SECRET);
      other.close();
    });

    it('a database that does not exist', async () => {
      const message = await failureOf(open(elsewhere((url) => (url.pathname = '/nobody_made_this'))));

      expect(message).toMatch(
        /\/nobody_made_this does not exist\. Create that database, or correct DATABASE_URL\.$/,
      );
    });

    it('a user who is not known', async () => {
      const url = elsewhere((changed) => {
        changed.username = 'nobody_we_know';
        changed.password = SECRET;
      });

      const message = await failureOf(open(url));

      expect(message).toMatch(/refuses the user/);
      expect(message).not.toContain(SECRET);
    });

    it('a user who may make no tables', async () => {
      const user = `${database.name}_guest`;
      await database.query(`create role "${user}" login password '${SECRET}'`);
      await database.query('revoke create on schema public from public');

      const message = await failureOf(
        open(
          elsewhere((url) => {
            url.username = user;
            url.password = SECRET;
          }),
        ),
      );

      expect(message).toMatch(/may not make tables in .* Make it the owner of the database\.$/);
      await database.query(`drop role "${user}"`);
    });

    it('a schema of a newer version', async () => {
      await (await database.open()).close();
      await database.query("insert into kysely_migration values ('0099-later', '2031-01-01T00:00:00.000Z')");

      const message = await failureOf(database.open());

      expect(message).toContain('newer version of the gateway (it has the migration 0099-later)');
    });

    it('a database that can only be read, as on a standby', async () => {
      await database.onServer(`alter database "${database.name}" set default_transaction_read_only = on`);

      const message = await failureOf(database.open());

      expect(message).toMatch(/can only be read\. DATABASE_URL must name the primary server\.$/);
    });

    it('a database in another encoding', async () => {
      const name = `${database.name}_latin`;
      await database.onServer(
        `create database "${name}" template template0 encoding 'LATIN1' lc_collate 'C' lc_ctype 'C'`,
      );

      const message = await failureOf(open(elsewhere((url) => (url.pathname = `/${name}`))));

      expect(message).toContain('has the encoding LATIN1; the gateway needs a database in UTF8');
      await database.onServer(`drop database "${name}"`);
    });
  });
});

describe('a server', () => {
  it.each([
    [140_011, '14.11', 'postgres://db/schneeai is PostgreSQL 14.11; the gateway needs 15 or newer.'],
    [150_000, '15.0', null],
    [180_004, '18.4', null],
  ])('of version %i: %s', (version_number, version, problem) => {
    expect(
      problemOf({ version_number, version, encoding: 'UTF8', read_only: 'off' }, 'postgres://db/schneeai'),
    ).toBe(problem);
  });
});

describe('a bigint', () => {
  it.each([
    ['0', 0],
    ['-9007199254740991', Number.MIN_SAFE_INTEGER],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('%s is a number', (text, value) => {
    expect(safeInteger(text)).toBe(value);
  });

  it.each(['9007199254740992', '-9007199254740992'])('%s is refused, not rounded', (text) => {
    expect(() => safeInteger(text)).toThrow(text);
  });
});
