import type Sqlite from 'better-sqlite3';
import { SqliteDialect, type DatabaseConnection, type Dialect, type Driver } from 'kysely';
import { LOCK_PATIENCE_MS, whenFree } from './when-free';

/**
 * Kysely's SQLite dialect with transactions that take the write lock when they begin, and with statements that wait for the
 * lock of another process without holding up the event loop. A plain `begin` takes the lock at the first write, and then
 * fails at once if another process has written since the first read.
 */
export function lockingSqliteDialect(connection: Sqlite.Database): Dialect {
  const dialect = new SqliteDialect({
    database: {
      prepare: (sql) => connection.prepare(sql === 'begin' ? 'begin immediate' : sql),
      close: () => {
        connection.close();
      },
    },
  });
  return {
    createDriver: () => waitingDriver(dialect.createDriver()),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  };
}

function waitingDriver(driver: Driver): Driver {
  const acquire = driver.acquireConnection.bind(driver);
  driver.acquireConnection = async (options) => waitingConnection(await acquire(options));
  return driver;
}

/** Inside a transaction the lock is held already, so what waits is a `begin` or a statement of its own: nothing was done yet. */
function waitingConnection(connection: DatabaseConnection): DatabaseConnection {
  return {
    executeQuery: (query, options) =>
      whenFree(LOCK_PATIENCE_MS, () => connection.executeQuery(query, options)),
    streamQuery: (query, chunkSize, options) => connection.streamQuery(query, chunkSize, options),
  };
}
