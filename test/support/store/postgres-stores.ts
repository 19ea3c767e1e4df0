import type { PostgresDatabase } from '../../../src/infra/store/postgres/postgres-database';
import type { OpenStores } from '../../contract/stores';
import { TestDatabase } from '../postgres/test-database';
import { storesOn } from './sqlite-stores';

/** What the migrations leave in a new database. */
const AFTER_MIGRATION = 'update audit_baseline set unchained = 0';

/** One database for a whole test file; each opening finds it empty, and is a process that has just started. */
export function postgresStores(): Readonly<{ open: OpenStores; remove: () => Promise<void> }> {
  let made: Promise<Readonly<{ database: TestDatabase; opened: PostgresDatabase; empty: string }>> | null =
    null;
  const make = async () => {
    const database = await TestDatabase.create();
    return { database, opened: await database.open(), empty: await emptying(database) };
  };
  return {
    async open() {
      made ??= make();
      const { database, opened, empty } = await made;
      await database.query(empty);
      return storesOn({ ...opened, close: () => Promise.resolve() });
    },
    async remove() {
      if (made === null) return;
      const { database, opened } = await made;
      await opened.close();
      await database.drop();
    },
  };
}

/** Deleting from small tables is far quicker than truncating them. */
async function emptying(database: TestDatabase): Promise<string> {
  const { rows } = await database.query(
    `select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%'
      and tablename <> 'audit_baseline'`,
  );
  const deletes = rows.map(({ tablename }) => `delete from "${String(tablename)}";`);
  return `set session_replication_role = replica; ${deletes.join(' ')} ${AFTER_MIGRATION}`;
}
