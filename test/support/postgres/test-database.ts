import { randomBytes } from 'node:crypto';
import { Client, type QueryResult } from 'pg';
import { SecretUrl } from '../../../src/infra/config/secret-url';
import {
  openPostgresDatabase,
  type PostgresDatabase,
} from '../../../src/infra/store/postgres/postgres-database';

/** Of this run alone: the databases of a run that was killed are left to whoever runs the server. */
const RUN = process.env['TEST_PG_RUN'] ?? 'schneeai_test_';
const TEMPLATE_LOCK = 7_363_686;
const GONE_WITHIN_MS = 10_000;

/** Skipped where no PostgreSQL can be had; the start of the run has said so. */
export const describeOnPostgres = process.env['TEST_PG_URL'] === undefined ? describe.skip : describe;

/** A PostgreSQL database of a test's own. */
export class TestDatabase {
  private constructor(
    readonly name: string,
    readonly url: SecretUrl,
  ) {}

  /** Migrated, unless `empty`. */
  static async create(content: 'migrated' | 'empty' = 'migrated'): Promise<TestDatabase> {
    const name = `${RUN}${randomBytes(6).toString('hex')}`;
    if (content === 'migrated') await onServer((run) => copyTemplate(run, name));
    else await onServer((run) => createEmpty(run, name));
    return new TestDatabase(name, urlOf(name));
  }

  open(size = 4): Promise<PostgresDatabase> {
    return openPostgresDatabase({ url: this.url, size, onLost: () => undefined });
  }

  /** As an administrator, beside whatever the product does. */
  query(text: string, values: unknown[] = []): Promise<QueryResult<Record<string, unknown>>> {
    return onServer((run) => run(text, values), this.url);
  }

  /** The same from another database, so that nothing done to this one stands in the way. */
  onServer(text: string): Promise<QueryResult<Record<string, unknown>>> {
    return onServer((run) => run(text));
  }

  /** Ends every connection to it, as a restarted server does; resolves when they are gone, not when they are told to go. */
  async cutConnections(applicationName?: string): Promise<void> {
    await onServer((run) =>
      run(
        `select pg_terminate_backend(pid, $3) from pg_stat_activity
          where datname = $1 and ($2::text is null or application_name = $2)`,
        [this.name, applicationName ?? null, GONE_WITHIN_MS],
      ),
    );
  }

  async drop(): Promise<void> {
    await onServer((run) => run(`drop database if exists "${this.name}" with (force)`));
  }
}

type Run = (text: string, values?: unknown[]) => Promise<QueryResult<Record<string, unknown>>>;

async function onServer<T>(work: (run: Run) => Promise<T>, url = serverUrl()): Promise<T> {
  const client = new Client({ connectionString: url.reveal() });
  await client.connect();
  try {
    return await work((text, values) => client.query(text, values));
  } finally {
    await client.end();
  }
}

/** Made by the first who needs it; a copy takes some milliseconds where the migrations take a hundred. */
async function copyTemplate(run: Run, name: string): Promise<void> {
  const template = `${RUN}template`;
  await run('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  const { rowCount } = await run('select 1 from pg_database where datname = $1', [template]);
  if (rowCount === 0) await makeTemplate(run, template);
  await run(`create database "${name}" template "${template}"`);
  // No test cuts the power.
  await run(`alter database "${name}" set synchronous_commit = off`);
}

async function makeTemplate(run: Run, template: string): Promise<void> {
  const draft = `${template}_draft`;
  await createEmpty(run, draft);
  const opened = await openPostgresDatabase({ url: urlOf(draft), size: 1, onLost: () => undefined });
  await opened.close();
  await run(`alter database "${draft}" rename to "${template}"`);
}

/** In a language that doesn't order by bytes, so that no test relies on the order of this machine. */
async function createEmpty(run: Run, name: string): Promise<void> {
  const plain = `create database "${name}" template template0 encoding 'UTF8'`;
  await run(`${plain} locale_provider icu icu_locale 'en-US'`).catch(() => run(plain));
}

function serverUrl(): SecretUrl {
  return parsed(process.env['TEST_PG_URL'] ?? '');
}

function urlOf(name: string): SecretUrl {
  const url = new URL(serverUrl().reveal());
  url.pathname = `/${name}`;
  return parsed(url.href);
}

function parsed(text: string): SecretUrl {
  const url = SecretUrl.parse(text, ['postgres:', 'postgresql:']);
  if (url === null) throw new Error('TEST_PG_URL must be a postgres:// URL.');
  return url;
}
