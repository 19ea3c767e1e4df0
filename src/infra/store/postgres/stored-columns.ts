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
  const { rows } = await sql<{ table: string; columns: string }>`
    select t.name as table, string_agg(attname, ', ' order by attnum) as columns
    from unnest(${TABLES}::text[]) as t(name) join pg_attribute on attrelid = to_regclass(t.name)
    where attnum > 0 and not attisdropped group by t.name`.execute(db);
  return Object.fromEntries(rows.map(({ table, columns }) => [table, columns])) as StoredColumns;
}
