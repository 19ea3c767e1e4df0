import type { ClosingRecord, OpeningRecord } from '../../../domain/audit/audit-record';
import type { ChainHead } from '../../../domain/audit/hash-chain';
import type { Attempt } from '../../../domain/interaction/attempt';
import { assertNever } from '../../../domain/kernel/assert-never';
import type { RequestId } from '../../../domain/kernel/ids';
import type { InsufficientBalance } from '../../../usecase/port/interaction-store';
import { endRowOf, startRowOf, type AttemptRow } from '../attempt-row';
import type { ChainPlace } from '../audit-chain-row';
import type { ChainWriter } from '../chain-writer';
import { closingRowOf, openingRowOf, type InteractionRow } from '../interaction-row';
import type { AdvanceWrite, InteractionWrite, InteractionWritten } from '../interaction-store';
import { billOf, needOfAdvance, needOfOpening } from '../reserved-money';
import type { BatchReading } from './batch-reading';
import type { BatchRows } from './batch-rows';
import { BatchKeys } from './batch-keys';
import { BatchWallets } from './batch-wallets';
import { storable } from './record-set';

type Known = { row: InteractionRow; readonly attempts: Map<number, AttemptRow> };

/**
 * Decides about the writes of a batch in their order, from what is stored and what the writes before have changed, and
 * collects the rows. A write that is refused or wrong leaves nothing behind: whatever can stop it comes first.
 */
export class InteractionBatch {
  private readonly known = new Map<RequestId, Known>();
  private readonly wallets: BatchWallets;
  private readonly keys: BatchKeys;

  /** `newest`: the chain that was opened last, which the first one of this process names. */
  constructor(
    reading: BatchReading,
    private readonly chains: Readonly<{ chain: ChainWriter; newest: ChainHead | null }>,
    private readonly rows: BatchRows,
  ) {
    this.wallets = new BatchWallets(reading.wallets, rows);
    this.keys = new BatchKeys(reading.keys, rows);
    for (const row of reading.interactions) this.known.set(row.request_id, { row, attempts: new Map() });
    for (const row of reading.attempts) this.known.get(row.request_id)?.attempts.set(row.number, row);
  }

  apply(write: InteractionWrite): InteractionWritten {
    switch (write.kind) {
      case 'open':
        return this.open(write.opening);
      case 'advance':
        return this.advance(write);
      case 'close':
        return this.close(write.closing);
      default:
        return assertNever(write);
    }
  }

  /** After the last write. */
  collect(): void {
    this.wallets.collect();
    this.keys.collect();
  }

  private open(opening: OpeningRecord): InteractionWritten {
    const { requestId, firstAttempt } = opening;
    if (this.known.has(requestId)) throw new Error(`${requestId} was opened before`);
    if (this.keys.isTaken(opening)) return { kind: 'idempotency_taken' };
    const need = needOfOpening(opening);
    const refused = need === null ? null : this.wallets.hold(need);
    if (refused !== null) return refused;
    this.keys.claim(opening);
    const row = storable(openingRowOf(opening));
    this.rows.add('openings', row);
    // Columns that hold nothing may be missing: they are no part of what is hashed.
    const known: Known = { row: row as InteractionRow, attempts: new Map() };
    this.known.set(requestId, known);
    if (firstAttempt !== null) this.start(known, startRowOf(requestId, firstAttempt));
    return 'written';
  }

  private advance(write: AdvanceWrite): InteractionWritten {
    const { requestId, ended, next } = write;
    const known = this.knownOf(requestId);
    // Somebody settled it for good: an attempt after that would be on nobody's bill.
    if (isClosed(known)) throw new Error(`${requestId} is closed`);
    if (known.attempts.has(next.number)) throw new Error(`${requestId} has an attempt ${next.number}`);
    const refused = this.raise(write, known);
    if (refused !== null) return refused;
    this.end(known, ended);
    this.start(known, startRowOf(requestId, next));
    return 'written';
  }

  private raise(write: AdvanceWrite, known: Known): InsufficientBalance | null {
    const need = needOfAdvance(write, known.row);
    if (need === null) return null;
    const refused = this.wallets.hold(need);
    if (refused !== null) return refused;
    const raised = { request_id: write.requestId, reservation_micro_usd: need.requiredMicroUsd };
    known.row = { ...known.row, ...raised };
    this.rows.add('reservations', raised);
    return null;
  }

  private close(closing: ClosingRecord): InteractionWritten {
    const known = this.knownOf(closing.requestId);
    if (isClosed(known)) return 'already_closed';
    const bill = billOf(closing, known.row);
    if (bill !== null) this.wallets.settle(bill);
    if (typeof known.row.idempotency_key_used === 'number') this.keys.settle(closing);
    if (closing.lastAttempt !== null) this.end(known, closing.lastAttempt);
    const closed = storable(closingRowOf(closing));
    known.row = { ...known.row, ...closed };
    const place = this.placeOf(known);
    this.rows.add('closings', { request_id: closing.requestId, ...closed, ...place });
    return 'written';
  }

  /** What an auditor will read is hashed: the stored rows, and what this batch makes of them. */
  private placeOf({ row, attempts }: Known): ChainPlace {
    const { chain, newest } = this.chains;
    if (chain.head === null) this.rows.add('chains', chain.open(newest));
    const ledger = [...attempts.values()].sort((one, other) => one.number - other.number);
    return chain.link({ kind: 'interaction', row, attempts: ledger });
  }

  private knownOf(requestId: RequestId): Known {
    const known = this.known.get(requestId);
    if (known === undefined) throw new Error(`${requestId} was never opened`);
    return known;
  }

  private start(known: Known, start: ReturnType<typeof startRowOf>): void {
    const row = storable(start);
    known.attempts.set(row.number, row as AttemptRow);
    this.rows.add('starts', row);
  }

  /** The end of an attempt must be on record even if its start is missing. */
  private end({ row: { request_id }, attempts }: Known, attempt: Attempt): void {
    const { number } = attempt;
    const end = storable(endRowOf(attempt));
    const start = attempts.get(number);
    if (start === undefined) {
      const whole = { ...storable(startRowOf(request_id, attempt)), ...end };
      attempts.set(number, whole);
      this.rows.add('wholeAttempts', whole);
    } else {
      attempts.set(number, { ...start, ...end });
      this.rows.add('ends', { request_id, number, ...end });
    }
  }
}

/** Also where it was opened in this batch, and has no such column yet. */
function isClosed({ row }: Known): boolean {
  return typeof row.closed_at === 'number';
}
