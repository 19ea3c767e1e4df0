/** A flag is 0 or 1: SQLite's driver binds no booleans, and PostgreSQL takes none for an integer. */
export type FlagColumn = 0 | 1;

export function toFlag(value: boolean): FlagColumn {
  return value ? 1 : 0;
}

export function fromFlag(flag: FlagColumn): boolean {
  return flag === 1;
}
