import type { EntryKind } from './canonical-form';

/**
 * What is wrong where a chain breaks. `changed`: the record, its ledger or its hash is not what was written. `missing`: it
 * is gone. `reordered`: it is there, in another's place. `inserted`: a record stands there that nobody wrote.
 */
export const BREAK_KINDS = ['changed', 'missing', 'reordered', 'inserted'] as const;
export type BreakKind = (typeof BREAK_KINDS)[number];

/** The first place where a chain is not what its writer wrote. */
export type ChainBreak = Readonly<{
  what: BreakKind;
  /** Null: the record names no chain. */
  writer: string | null;
  /** Sequence 0 is the opening of the chain. Null: the record names no place. */
  sequence: number | null;
  /** The record at this place; null where there is none. */
  record: Readonly<{ kind: EntryKind; id: string; tenant: string | null }> | null;
}>;

/** What was found of the record that belongs at a place, and of the one that stands there. */
export type Evidence = Readonly<{
  /** A record stands at the place. */
  occupied: boolean;
  /** The record that belongs there stands further on. */
  displaced: boolean;
  /** The record at the place belongs further on itself. */
  swapped: boolean;
}>;

export function breakKindOf({ occupied, displaced, swapped }: Evidence): BreakKind {
  if (!displaced) return occupied ? 'changed' : 'missing';
  return occupied && !swapped ? 'inserted' : 'reordered';
}
