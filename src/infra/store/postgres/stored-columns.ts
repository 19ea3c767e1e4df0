import { sql, type Kysely } from 'kysely';
import type { StoreSchema } from '../schema';

const TABLES = ['interactions', 'attempts', 'wallets', 'idempotency_keys'] as const;

/** The columns of each table that the request path reads, as a list for its `select`: all that there were when it was opened. */
export type StoredColumns = Readonly<Record<(typeof TABLES)[number], string>>;

/**
 * The server plans a statement once a connection, and refuses a planned `select *` for good when a newer replica has added a
 * column. What a newer version alone fills is empty in our rows, so it is no part of what gets hashed.
 */
export async function storedColumns(db: Kysely<StoreSchema>): Promise<StoredColumns> {
  const lists = await Promise.all(TABLES.map(async (table) => [table, await columnsOf(db, table)] as const));
  return Object.fromEntries(lists) as StoredColumns;
}

async function columnsOf(db: Kysely<StoreSchema>, table: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`select attname as name from pg_attribute
    where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped order by attnum`.execute(db);
  return rows.map(({ name }) => name).join(', ');
}
