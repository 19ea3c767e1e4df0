import { breakKindOf, type ChainBreak } from '../../domain/audit/chain-break';
import {
  belongsAfter,
  continues,
  genesisHash,
  headAfter,
  type ChainEntry,
  type ChainHead,
  type HashText,
} from '../../domain/audit/hash-chain';
import type { AuditChains, StoredChain } from '../port/audit-chains';

/** What the walk along one chain found. */
export type ChainReport = Readonly<{
  writer: string;
  openedAtMs: number;
  /** Entries that were verified, purged ones not among them. */
  verified: number;
  /** Records that retention has deleted from its start. */
  purged: number;
  /** The last entry that was verified: to be kept elsewhere by whoever wants to prove later that nothing was rewritten. */
  head: ChainHead;
  /** Null: the chain is as its writer wrote it. */
  break: ChainBreak | null;
}>;

export type ChainWalkDeps = Readonly<{
  chains: Pick<AuditChains, 'headOf' | 'anchorOf' | 'entries'>;
  hash: HashText;
  /** Hears of each entry that was verified. */
  onVerified: (entry: ChainEntry) => void;
}>;

/** Entries read at a time: bounds the memory, and how long the event loop waits for their hashes (some milliseconds). */
const AT_A_TIME = 100;
/** Entries behind a break in which the record that belongs there is looked for, to tell a moved one from a missing one. */
const SEARCHED = 10_000;

/** Walks along one chain, from its opening or its anchor to its end, up to the first break. */
export class ChainWalk {
  private head: ChainHead;
  private verified = 0;
  private purged = 0;
  private found: ChainBreak | null = null;

  /** `expected`: ends that the openings of other chains have named. */
  constructor(
    private readonly deps: ChainWalkDeps,
    private readonly chain: StoredChain,
    private readonly expected: readonly ChainHead[],
  ) {
    this.head = { writer: chain.genesis.writer, sequence: 0, hash: chain.genesisHash };
  }

  async walk(): Promise<ChainReport> {
    const { genesis, genesisHash: stored } = this.chain;
    if (genesisHash(genesis, this.deps.hash) !== stored) this.breakAt(0, 'changed', null);
    else {
      await this.startFromAnchor();
      await this.walkToEnd();
    }
    const { head, verified, purged, found } = this;
    return { writer: genesis.writer, openedAtMs: genesis.openedAtMs, verified, purged, head, break: found };
  }

  /** True if retention has deleted more than what was known of. */
  private async startFromAnchor(): Promise<boolean> {
    const anchor = await this.deps.chains.anchorOf(this.chain.genesis.writer);
    if (anchor === null) return false;
    this.purged = anchor.records;
    if (anchor.head.sequence <= this.head.sequence) return false;
    this.head = anchor.head;
    return this.asExpected();
  }

  private async walkToEnd(): Promise<void> {
    for (;;) {
      const { chains } = this.deps;
      const entries = await chains.entries(this.head.writer, this.head.sequence, AT_A_TIME);
      for (const entry of entries) {
        if (continues(this.head, entry, this.deps.hash)) this.accept(entry);
        else if (!(await this.startFromAnchor())) return this.classify(entry);
        if (this.found !== null) return;
      }
      // Read after the entries: the end moves with each entry, so a legitimate one is never behind it.
      const end = await chains.headOf(this.head.writer);
      if (entries.length < AT_A_TIME && (await this.atEnd(end))) return;
    }
  }

  private accept(entry: ChainEntry): void {
    this.head = headAfter(this.head, entry);
    if (!this.asExpected()) return;
    this.verified += 1;
    this.deps.onVerified(entry);
  }

  /** A chain that was opened later says how this one went on; to rewrite this one alone is not enough. */
  private asExpected(): boolean {
    const { sequence, hash } = this.head;
    const named = this.expected.find((end) => end.sequence === sequence);
    if (named === undefined || named.hash === hash) return true;
    this.breakAt(sequence, 'changed', null);
    return false;
  }

  /** Whether the walk is over. */
  private async atEnd(end: ChainHead | undefined): Promise<boolean> {
    const { sequence, hash } = this.head;
    const last = Math.max(end?.sequence ?? 0, ...this.expected.map((named) => named.sequence));
    if (end === undefined || end.sequence < sequence) this.breakAt(sequence, 'inserted', null);
    else if (end.sequence === sequence && end.hash !== hash) this.breakAt(sequence, 'changed', null);
    else if (last > sequence) {
      // More may have been written, or purged, since we looked.
      const [next] = await this.deps.chains.entries(this.head.writer, sequence, 1);
      if (next !== undefined || (await this.startFromAnchor())) return false;
      this.breakAt(sequence + 1, 'missing', null);
    }
    return true;
  }

  /** The entry doesn't continue the chain: looks for the one that does. */
  private async classify(entry: ChainEntry): Promise<void> {
    const sequence = this.head.sequence + 1;
    const occupied = entry.sequence === sequence;
    const end = await this.deps.chains.headOf(this.head.writer);
    if (end !== undefined && end.sequence < sequence) return this.breakAt(sequence, 'inserted', entry);
    const { displaced, swapped } = await this.search(entry, occupied);
    this.breakAt(sequence, breakKindOf({ occupied, displaced, swapped }), occupied ? entry : null);
  }

  private async search(
    intruder: ChainEntry,
    occupied: boolean,
  ): Promise<Readonly<{ displaced: boolean; swapped: boolean }>> {
    const { chains, hash } = this.deps;
    let before: ChainHead = headAfter(this.head, intruder);
    for (let searched = 0; searched < SEARCHED; searched += AT_A_TIME) {
      const entries = await chains.entries(this.head.writer, before.sequence, AT_A_TIME);
      for (const entry of entries) {
        if (belongsAfter(this.head, entry, hash)) {
          // Directly behind the intruder, its true predecessor is the displaced record itself.
          const predecessor = before.sequence === this.head.sequence + 1 ? entry : before;
          const place = { writer: this.head.writer, sequence: entry.sequence - 1, hash: predecessor.hash };
          return { displaced: true, swapped: occupied && belongsAfter(place, intruder, hash) };
        }
        before = headAfter(before, entry);
      }
      if (entries.length < AT_A_TIME) break;
    }
    // A lone entry behind a gap may be the displaced one itself.
    return { displaced: !occupied && belongsAfter(this.head, intruder, hash), swapped: false };
  }

  private breakAt(sequence: number, what: ChainBreak['what'], entry: ChainEntry | null): void {
    const record = entry === null ? null : { kind: entry.kind, id: entry.id, tenant: entry.tenant };
    this.found = { what, writer: this.head.writer, sequence, record };
  }
}
