import type Sqlite from 'better-sqlite3';
import { SqliteDialect } from 'kysely';

/**
 * Kysely's SQLite dialect with transactions that take the write lock when they begin. A plain `begin` takes it at the first
 * write, and then fails at once instead of waiting if another process has written since the first read.
 */
export function lockingSqliteDialect(connection: Sqlite.Database): SqliteDialect {
  return new SqliteDialect({
    database: {
      prepare: (sql) => connection.prepare(sql === 'begin' ? 'begin immediate' : sql),
      close: () => {
        connection.close();
      },
    },
  });
}
