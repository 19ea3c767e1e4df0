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
  const sorted: Record<string, unknown> = {};
  for (const column of Object.keys(row).sort()) {
    const value = row[column];
    if (column !== HASH_COLUMN && value !== null) sorted[column] = asStored(value);
  }
  return JSON.stringify(sorted);
}

const SURROGATE = /[\uD800-\uDFFF]/;
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** UTF-8 has no half characters: a store keeps the replacement character in their place. */
function asStored(value: StoredRow[string] | undefined): unknown {
  // Most text has no such character at all, and the first look is far cheaper.
  if (typeof value !== 'string' || !SURROGATE.test(value)) return value;
  return value.replaceAll(LONE_SURROGATE, '\uFFFD');
}
