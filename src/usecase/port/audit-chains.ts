import type { ChainEntry, ChainHead, Genesis } from '../../domain/audit/hash-chain';
import type { RequestId, TenantId } from '../../domain/kernel/ids';

/** Reads the hash chains of all writers, as stored. Rejects with `StoreUnavailable` when the store can't be read. */
export interface AuditChains {
  /** All chains, in the order in which they were opened. */
  chains(): Promise<readonly StoredChain[]>;
  /** Where the chain ends now; undefined: there is no such chain. */
  headOf(writer: string): Promise<ChainHead | undefined>;
  /** The end of what retention has deleted of a chain; null: nothing. */
  anchorOf(writer: string): Promise<Anchor | null>;
  /** Entries after a sequence, in order, at most `limit` (1 to 500). Hands the event loop back between calls. */
  entries(writer: string, afterSequence: number, limit: number): Promise<readonly ChainEntry[]>;
  /** Closed records that stand in no chain, though the audit log says they exist. */
  strays(): Promise<Strays>;
}

/** A chain as its opening says, with the genesis hash that was stored then. */
export type StoredChain = Readonly<{ genesis: Genesis; genesisHash: string; head: ChainHead }>;

export type Anchor = Readonly<{
  /** The last deleted entry: the chain goes on from its hash. */
  head: ChainHead;
  /** Records that were deleted of this chain in all. */
  records: number;
}>;

export type Strays = Readonly<{
  /** Closed before the chains were introduced, or inserted since. */
  unchained: readonly Readonly<{ tenant: TenantId; records: number }>[];
  /** How many of them there were when the chains were introduced, less those that retention has deleted. */
  expectedUnchained: number;
  /** The unchained record that was closed last; null: there is none. */
  newestUnchained: Readonly<{ requestId: RequestId; tenant: TenantId }> | null;
  /** An entry that names a chain that was never opened, or a place before its chain's beginning; null: none. */
  misplaced: ChainEntry | null;
  /** The chain that the misplaced entry names. */
  misplacedWriter: string | null;
}>;
