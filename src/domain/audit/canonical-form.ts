/** A stored row by its column names. */
export type StoredRow = Readonly<Record<string, string | number | null>>;

/** What an entry of a chain is about: an interaction that ended, or a change of the configuration. */
export type EntryKind = 'interaction' | 'change';

/** An audit record exactly as it is stored, its place in the chain (`writer`, `sequence`) included and its hash left out. */
export type StoredRecord = Readonly<{
  kind: EntryKind;
  row: StoredRow;
  /** The whole ledger, by number; a change has none. */
  attempts: readonly StoredRow[];
}>;

/** The column that holds the hash; it can't be part of what it is made from. */
export const HASH_COLUMN = 'hash';

/**
 * The text that is hashed: `{"attempts":[…],"kind":…,"row":{…}}` as RFC 8785 writes it, which is JSON without spaces and
 * with sorted names. Columns that hold nothing are left out, so that a column which a later version adds changes no old
 * record. Two records have the same form only if they are the same (docs/audit.md).
 */
export function canonicalForm({ kind, row, attempts }: StoredRecord): string {
  const ledger = attempts.map(canonicalRow).join(',');
  return `{"attempts":[${ledger}],"kind":${JSON.stringify(kind)},"row":${canonicalRow(row)}}`;
}

function canonicalRow(row: StoredRow): string {
  let members = '';
  for (const column of inOrder(Object.keys(row))) {
    const value = row[column] ?? null;
    if (value !== null && column !== HASH_COLUMN) members += startOf(column) + literalOf(value);
  }
  return `{${members.slice(1)}}`;
}

/** Whoever reads a row for its hash reads its columns in this order already, and looking is cheaper than sorting. */
function inOrder(columns: string[]): readonly string[] {
  const isSorted = columns.every((column, index) => index === 0 || columns[index - 1]! < column);
  return isSorted ? columns : columns.sort();
}

/** How the member of each column starts: there are as many as the schema has columns. */
const starts = new Map<string, string>();

function startOf(column: string): string {
  const known = starts.get(column);
  if (known !== undefined) return known;
  const start = `,${JSON.stringify(column)}:`;
  starts.set(column, start);
  return start;
}

/** UTF-8 has no half characters: a store keeps the replacement character in their place. */
function literalOf(value: string | number): string {
  return typeof value === 'string' ? JSON.stringify(value.toWellFormed()) : String(value);
}
