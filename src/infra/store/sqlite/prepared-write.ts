import type Sqlite from 'better-sqlite3';
import type { CompiledQuery } from 'kysely';

export type ColumnValue = string | number | null;

/**
 * A query that is built and compiled once and then only bound: building costs more than writing the row. The rows must list
 * their columns in one order, as those of one mapper do.
 */
export class PreparedWrite<Row extends object> {
  private statement: Sqlite.Statement<ColumnValue[]> | null = null;

  constructor(
    private readonly connection: Sqlite.Database,
    private readonly build: (sample: Row) => { compile(): CompiledQuery<unknown> },
  ) {}

  /** Binds the row's values and then the keys of its `where`; returns how many rows changed. */
  run(row: Row, ...keys: ColumnValue[]): number {
    this.statement ??= this.connection.prepare(this.build(row).compile().sql);
    return this.statement.run(...(Object.values(row) as ColumnValue[]), ...keys).changes;
  }
}
