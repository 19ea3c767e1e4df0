import type Sqlite from 'better-sqlite3';
import type { CompiledQuery } from 'kysely';
import type { ColumnValue } from './prepared-write';

/**
 * A query by one key, prepared once. The driver takes twenty times as long to make an object of a wide row as to hand over
 * its values, so the names are put to them here.
 */
export class PreparedRead<Row extends object> {
  private readonly statement: Sqlite.Statement<[string], ColumnValue[]>;
  private readonly columns: readonly string[];

  constructor(connection: Sqlite.Database, query: CompiledQuery<unknown>) {
    this.statement = connection.prepare<[string], ColumnValue[]>(query.sql).raw();
    this.columns = this.statement.columns().map(({ name }) => name);
  }

  all(key: string): readonly Row[] {
    return this.statement.all(key).map((values) => this.rowOf(values));
  }

  private rowOf(values: readonly ColumnValue[]): Row {
    const row: Record<string, ColumnValue> = {};
    this.columns.forEach((column, index) => (row[column] = values[index] ?? null));
    return row as Row;
  }
}
