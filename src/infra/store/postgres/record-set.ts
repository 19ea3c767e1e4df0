import type { QueryConfig } from 'pg';
import type { StoreSchema } from '../schema';

/** What a column of ours can hold. */
export type Cells = Readonly<Record<string, string | number | null>>;

// PostgreSQL's text holds no zero character, and UTF-8 no half of a surrogate pair. Callers and providers can send both.
const UNSTORABLE = /[\0\uD800-\uDFFF]/;

/** The row as it will be read back, which is what gets hashed. */
export function storable<Row extends Cells>(row: Row): Row {
  let changed: Record<string, string | number | null> | null = null;
  for (const [column, cell] of Object.entries(row)) {
    if (typeof cell !== 'string' || !UNSTORABLE.test(cell)) continue;
    changed ??= { ...row };
    changed[column] = Buffer.from(cell.replaceAll('\0', '\uFFFD')).toString();
  }
  return (changed ?? row) as Row;
}

/** One statement for all rows, which list the same columns: a parameter per row and column costs far more (PERFORMANCE). */
export function insertAll(table: keyof StoreSchema, rows: readonly Cells[]): QueryConfig {
  const columns = columnsOf(rows).join(', ');
  return {
    text: `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`,
    values: [JSON.stringify(rows)],
  };
}

/** Sets the other columns of the rows that have these keys. */
export function updateAll(
  table: keyof StoreSchema,
  keys: readonly string[],
  rows: readonly Cells[],
): QueryConfig {
  const set = columnsOf(rows)
    .filter((column) => !keys.includes(column))
    .map((column) => `${column} = given.${column}`);
  const where = keys.map((key) => `stored.${key} = given.${key}`);
  return {
    text: `update ${table} as stored set ${set.join(', ')}
      from json_populate_recordset(null::${table}, $1) as given where ${where.join(' and ')}`,
    values: [JSON.stringify(rows)],
  };
}

function columnsOf([first]: readonly Cells[]): readonly string[] {
  return Object.keys(first ?? {});
}
