import type { ChainHead, Genesis } from '../../domain/audit/hash-chain';

/** An entry's place in its writer's chain. */
export type ChainPlace = Readonly<{ writer: string; sequence: number; hash: string }>;

/** A chain: how it was opened, and where it ends now. Only the end is ever updated. */
export type AuditChainRow = Readonly<{
  writer: string;
  opened_at: number;
  previous_writer: string | null;
  previous_sequence: number | null;
  previous_hash: string | null;
  genesis_hash: string;
  last_sequence: number;
  last_hash: string;
}>;

/** The only row counts the records that had been closed before there were chains. */
export type AuditBaselineRow = Readonly<{ id: number; unchained: number }>;

export function chainRowOf({ writer, openedAtMs, previous }: Genesis, genesisHash: string): AuditChainRow {
  return {
    writer,
    opened_at: openedAtMs,
    previous_writer: previous?.writer ?? null,
    previous_sequence: previous?.sequence ?? null,
    previous_hash: previous?.hash ?? null,
    genesis_hash: genesisHash,
    last_sequence: 0,
    last_hash: genesisHash,
  };
}

export function genesisOf(row: AuditChainRow): Genesis {
  const { previous_writer: writer, previous_sequence: sequence, previous_hash: hash } = row;
  const named = writer !== null && sequence !== null && hash !== null;
  return {
    writer: row.writer,
    openedAtMs: row.opened_at,
    previous: named ? { writer, sequence, hash } : null,
  };
}

export function headOf(row: Pick<AuditChainRow, 'writer' | 'last_sequence' | 'last_hash'>): ChainHead {
  return { writer: row.writer, sequence: row.last_sequence, hash: row.last_hash };
}
