import type { StoredRecord } from '../../domain/audit/canonical-form';
import {
  genesisHash,
  linkHash,
  type ChainHead,
  type Genesis,
  type HashText,
} from '../../domain/audit/hash-chain';
import { chainRowOf, type AuditChainRow, type ChainPlace } from './audit-chain-row';

export type ChainWriterDeps = Readonly<{
  hash: HashText;
  /** A new id for the next chain of this process. */
  newWriter: () => string;
  nowMs: () => number;
}>;

/**
 * The chain of this process, in memory: giving a record its place asks the store nothing. Whoever uses it has it for himself
 * until his transaction has ended, because he holds the store's one connection or has taken a `turn`, and takes back with
 * `backTo` or `abandon` what didn't get committed.
 */
export class ChainWriter {
  private end: ChainHead | null = null;
  private lastTurn: Promise<void> = Promise.resolve();

  constructor(private readonly deps: ChainWriterDeps) {}

  /** Null: no chain is open, so the next record needs one. */
  get head(): ChainHead | null {
    return this.end;
  }

  /**
   * Waits until nobody else is between linking and committing. What it resolves with ends the turn. Row locks are taken
   * before, never during a turn, or two transactions could wait for each other.
   */
  async turn(): Promise<() => void> {
    const before = this.lastTurn;
    let end = (): void => undefined;
    this.lastTurn = new Promise((resolve) => (end = resolve));
    await before;
    return end;
  }

  /** Opens a chain that names the one before it, and returns the row to store with it. */
  open(previous: ChainHead | null): AuditChainRow {
    const { hash, newWriter, nowMs } = this.deps;
    const genesis: Genesis = { writer: newWriter(), openedAtMs: nowMs(), previous };
    const row = chainRowOf(genesis, genesisHash(genesis, hash));
    this.end = { writer: row.writer, sequence: 0, hash: row.genesis_hash };
    return row;
  }

  /** The place of the next record, whose content is complete. */
  link({ kind, row, attempts }: StoredRecord): ChainPlace {
    if (this.end === null) throw new Error('A record was linked before its chain was opened.');
    const { writer, sequence: last, hash: previousHash } = this.end;
    const sequence = last + 1;
    const record = { kind, row: { ...row, writer, sequence }, attempts };
    const place = { writer, sequence, hash: linkHash(record, previousHash, this.deps.hash) };
    this.end = place;
    return place;
  }

  /** What was linked since was rolled back. */
  backTo(head: ChainHead | null): void {
    this.end = head;
  }

  /** Nobody knows whether the last commit reached the disk, so nothing is put on top of it: the next record opens a chain. */
  abandon(): void {
    this.end = null;
  }
}
