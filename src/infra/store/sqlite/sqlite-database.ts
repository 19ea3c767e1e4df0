import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import { StoreUnavailable } from '../../../usecase/port/store-unavailable';
import { errorFactsOf } from '../error-facts';
import { migrate } from '../migration/migrate';
import type { StoreSchema } from '../schema';
import { lockingSqliteDialect } from './sqlite-dialect';
import { isBusy, whenFree } from './when-free';

const IN_MEMORY = ':memory:';
/** SQLite never waits for another process's write itself, as the event loop would wait with it: `whenFree` does. */
const BUSY_TIMEOUT_MS = 0;

/**
 * SQLite's own default; the driver's is eight times as much. A commit that split a page makes SQLite walk the whole cache
 * (`pcache1TruncateUnsafe`), which cost a tenth of a request at 16 MB. The rest is in the cache of the operating system.
 */
const CACHE_KB = 2_000;

export type OpeningOptions = Readonly<{
  /** How long a start waits for others that start, migrate or recover at the same moment, milliseconds. */
  patienceMs: number;
}>;

/** An open database, migrated to the newest schema. `kysely` and `connection` are the same connection. */
export type SqliteDatabase = Readonly<{
  kind: 'sqlite';
  kysely: Kysely<StoreSchema>;
  connection: Sqlite.Database;
  /** The migrations that this opening ran. */
  migrated: readonly string[];
  /** Does what only one replica may do at a time: an embedded store has one. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}>;

/**
 * Opens a file (made if absent, in a folder only we may enter) or `:memory:`, and migrates it.
 * Rejects with `StoreUnavailable` and a message for the operator.
 */
export async function openSqliteDatabase(
  path: string,
  options: OpeningOptions = { patienceMs: 30_000 },
): Promise<SqliteDatabase> {
  try {
    const connection = connect(path);
    try {
      return await prepare(connection, options);
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    throw new StoreUnavailable(explain(path, error), { cause: error });
  }
}

function connect(path: string): Sqlite.Database {
  if (path !== IN_MEMORY) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // SQLite gives its log files the mode of the database file.
    closeSync(openSync(path, 'a', 0o600));
  }
  return new Sqlite(path, { timeout: BUSY_TIMEOUT_MS });
}

async function prepare(connection: Sqlite.Database, { patienceMs }: OpeningOptions): Promise<SqliteDatabase> {
  const kysely = new Kysely<StoreSchema>({ dialect: lockingSqliteDialect(connection) });
  await whenFree(patienceMs, () => {
    // Switching to WAL fails at once while another process switches: SQLite doesn't wait there.
    connection.pragma('journal_mode = WAL');
    // An acknowledged commit must survive a power cut, so each one is flushed.
    connection.pragma('synchronous = FULL');
    connection.pragma('foreign_keys = ON');
    connection.pragma(`cache_size = -${CACHE_KB}`);
    return Promise.resolve();
  });
  const migrated = await whenFree(patienceMs, () => inOneTransaction(connection, () => migrate(kysely)));
  return {
    kind: 'sqlite',
    kysely,
    connection,
    migrated,
    inTurn: (work) => work(),
    async close() {
      await kysely.destroy();
      if (connection.open) connection.close();
    },
  };
}

/** Holds the write lock from the first look at the schema on, and leaves nothing half done if the process is killed. */
async function inOneTransaction<T>(connection: Sqlite.Database, work: () => Promise<T>): Promise<T> {
  connection.exec('begin immediate');
  try {
    const result = await work();
    connection.exec('commit');
    return result;
  } catch (error) {
    if (connection.inTransaction) connection.exec('rollback');
    throw error;
  }
}

function explain(path: string, error: unknown): string {
  const { code, message } = errorFactsOf(error);
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) {
    return `${path} is not a SQLite database, or it is damaged. Restore it from a backup, or move it away to start anew.`;
  }
  if (/^(EACCES|EPERM|EROFS|ENOTDIR|EEXIST|EISDIR|SQLITE_CANTOPEN|SQLITE_READONLY)/.test(code)) {
    return `${path} can't be written (${code}). The gateway needs a folder in which it may make files.`;
  }
  if (isBusy(error)) return `${path} is locked by another process.`;
  return `${path} can't be opened: ${message}`;
}
