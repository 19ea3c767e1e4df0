import { canonicalForm, type EntryKind, type StoredRecord } from './canonical-form';

/** SHA-256 of a text in UTF-8, as 64 hexadecimal digits in lower case. */
export type HashText = (text: string) => string;

/** Where a chain ends now. Sequence numbers count from 1; 0 with the genesis hash: nothing follows yet. */
export type ChainHead = Readonly<{ writer: string; sequence: number; hash: string }>;

/** How a chain begins. It names the chain that was opened before it and its end, so that no chain can vanish unseen. */
export type Genesis = Readonly<{
  writer: string;
  openedAtMs: number;
  /** Null: this is the first chain of the store. */
  previous: ChainHead | null;
}>;

/** One link of a chain, as it was read back. */
export type ChainEntry = Readonly<{
  kind: EntryKind;
  /** The request id, or the id of the change. */
  id: string;
  /** Null: it belongs to no tenant. */
  tenant: string | null;
  sequence: number;
  hash: string;
  record: StoredRecord;
}>;

/** The hash that the first record of a chain continues. */
export function genesisHash({ writer, openedAtMs, previous }: Genesis, hash: HashText): string {
  const origin = {
    kind: 'genesis',
    opened_at: openedAtMs,
    ...(previous === null
      ? {}
      : {
          previous_hash: previous.hash,
          previous_sequence: previous.sequence,
          previous_writer: previous.writer,
        }),
    writer,
  };
  return hash(JSON.stringify(origin));
}

/** `SHA-256(canonical record ‖ previous hash)`, DESIGN §7. */
export function linkHash(record: StoredRecord, previousHash: string, hash: HashText): string {
  return hash(canonicalForm(record) + previousHash);
}

/** Whether a record continues a chain where `head` ends: its own hash fits its content, its place and its predecessor. */
export function continues(head: ChainHead, entry: ChainEntry, hash: HashText): boolean {
  return entry.sequence === head.sequence + 1 && entry.hash === linkHash(entry.record, head.hash, hash);
}

/** Whether the entry is the one that belongs after `head`, wherever it stands now. */
export function belongsAfter(head: ChainHead, entry: ChainEntry, hash: HashText): boolean {
  const { record } = entry;
  const inPlace = {
    ...record,
    row: { ...record.row, writer: head.writer, sequence: head.sequence + 1 },
  };
  return entry.hash === linkHash(inPlace, head.hash, hash);
}

export function headAfter(head: ChainHead, entry: ChainEntry): ChainHead {
  return { writer: head.writer, sequence: entry.sequence, hash: entry.hash };
}
