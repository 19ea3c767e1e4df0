import type Sqlite from 'better-sqlite3';
import type { ClosingRecord, OpeningRecord } from '../../../domain/audit/audit-record';
import type { Attempt } from '../../../domain/interaction/attempt';
import { assertNever } from '../../../domain/kernel/assert-never';
import type { RequestId } from '../../../domain/kernel/ids';
import { err, ok, type Result } from '../../../domain/kernel/result';
import { endRowOf, startRowOf } from '../attempt-row';
import { headOf, type ChainPlace } from '../audit-chain-row';
import type { ChainWriter } from '../chain-writer';
import type { BatchCommitter } from '../group-commit';
import { closingRowOf, openingRowOf, type InteractionRow } from '../interaction-row';
import type { AdvanceWrite, InteractionWrite, InteractionWritten } from '../interaction-store';
import { billOf, needOfAdvance, needOfOpening } from '../reserved-money';
import type { InsufficientBalance } from '../../../usecase/port/interaction-store';
import { isStoreFailure } from '../store-failure';
import { interactionStatements, type InteractionStatements } from './interaction-statements';
import type { SqliteDatabase } from './sqlite-database';
import { LOCK_PATIENCE_MS, whenFree } from './when-free';
import { SqliteKeyClaims } from './sqlite-key-claims';
import { SqliteWalletBooks } from './sqlite-wallet-books';

type Outcome = Result<InteractionWritten, unknown>;

/**
 * While the last commit failed, milliseconds: enough to get past an ordinary writer, so that a store which is really gone
 * costs each caller a moment and not the whole patience.
 */
const PATIENCE_AFTER_FAILURE_MS = 50;

/**
 * Commits interaction writes on SQLite, straight on the connection: two durable commits per request leave no room for a
 * query builder's work (PERFORMANCE).
 */
export class SqliteInteractionCommitter implements BatchCommitter<InteractionWrite, InteractionWritten> {
  private readonly statements: InteractionStatements;
  private readonly wallets: SqliteWalletBooks;
  private readonly keys: SqliteKeyClaims;
  private readonly connection: Sqlite.Database;
  private lastCommit: 'made' | 'failed' = 'made';

  constructor(
    private readonly database: SqliteDatabase,
    private readonly chain: ChainWriter,
    private readonly lockPatienceMs = LOCK_PATIENCE_MS,
  ) {
    this.connection = database.connection;
    this.statements = interactionStatements(database);
    this.wallets = new SqliteWalletBooks(database);
    this.keys = new SqliteKeyClaims(database);
  }

  /** The query builder shares the connection, so it lends it for each try: never inside a transaction of its own. */
  async commit(writes: readonly InteractionWrite[]): Promise<readonly Outcome[]> {
    const { kysely } = this.database;
    const patienceMs = this.lastCommit === 'made' ? this.lockPatienceMs : PATIENCE_AFTER_FAILURE_MS;
    this.lastCommit = 'failed';
    const outcomes = await whenFree(patienceMs, () =>
      kysely.connection().execute(() => Promise.resolve(this.commitTogether(writes))),
    );
    this.lastCommit = 'made';
    return outcomes;
  }

  private commitTogether(writes: readonly InteractionWrite[]): readonly Outcome[] {
    try {
      return this.transaction(() => writes.map((write) => ok(this.apply(write))));
    } catch (error) {
      if (isStoreFailure(error)) throw error;
      // One of them is wrong in itself. This is rare, so savepoints are paid for only now.
      return this.transaction(() => writes.map((write) => this.applyApart(write)));
    }
  }

  private transaction(work: () => readonly Outcome[]): readonly Outcome[] {
    const { chain, statements } = this;
    const before = chain.head;
    statements.begin.run();
    try {
      const outcomes = work();
      const { head } = chain;
      if (head !== null && head !== before) statements.moveHead.run(head.sequence, head.hash, head.writer);
      statements.commit.run();
      return outcomes;
    } catch (error) {
      // A full disk makes SQLite roll back by itself.
      if (this.connection.inTransaction) statements.rollback.run();
      // Whatever the reason was, SQLite is sure that nothing of it is kept.
      chain.backTo(before);
      throw error;
    }
  }

  private applyApart(write: InteractionWrite): Outcome {
    const before = this.chain.head;
    this.statements.savepoint.run();
    try {
      const written = this.apply(write);
      this.statements.release.run();
      return ok(written);
    } catch (error) {
      if (isStoreFailure(error)) throw error;
      this.statements.undo.run();
      this.statements.release.run();
      this.chain.backTo(before);
      return err(error);
    }
  }

  private apply(write: InteractionWrite): InteractionWritten {
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

  /** What can refuse it comes before its first write. */
  private open(opening: OpeningRecord): InteractionWritten {
    if (this.keys.isTaken(opening)) return { kind: 'idempotency_taken' };
    const need = needOfOpening(opening);
    const refused = need === null ? null : this.wallets.hold(need);
    if (refused !== null) return refused;
    this.keys.claim(opening);
    this.statements.open.run(openingRowOf(opening));
    if (opening.firstAttempt !== null) {
      this.statements.startAttempt.run(startRowOf(opening.requestId, opening.firstAttempt));
    }
    return 'written';
  }

  private advance(write: AdvanceWrite): InteractionWritten {
    const { requestId, ended, next } = write;
    const progress = this.statements.progress.get(requestId);
    if (progress === undefined) throw neverOpened(requestId);
    // Somebody settled it for good: an attempt after that would be on nobody's bill.
    if (progress.closed_at !== null) throw new Error(`${requestId} is closed`);
    const refused = this.raise(write, progress);
    if (refused !== null) return refused;
    this.end(requestId, ended);
    this.statements.startAttempt.run(startRowOf(requestId, next));
    return 'written';
  }

  private raise(write: AdvanceWrite, open: Parameters<typeof needOfAdvance>[1]): InsufficientBalance | null {
    const need = needOfAdvance(write, open);
    if (need === null) return null;
    const refused = this.wallets.hold(need);
    if (refused === null) this.statements.setReservation.run(need.requiredMicroUsd, write.requestId);
    return refused;
  }

  private close(closing: ClosingRecord): InteractionWritten {
    const open = this.statements.interaction.get(closing.requestId);
    if (open === undefined) throw neverOpened(closing.requestId);
    if (open.closed_at !== null) return 'already_closed';
    if (closing.lastAttempt !== null) this.end(closing.requestId, closing.lastAttempt);
    const bill = billOf(closing, open);
    if (bill !== null) this.wallets.settle(bill);
    if (open.idempotency_key_used !== null) this.keys.settle(closing);
    const row = closingRowOf(closing);
    this.statements.close.run({ ...row, ...this.placeOf({ ...open, ...row }) }, closing.requestId);
    return 'written';
  }

  /** What an auditor will read is hashed: the ledger is taken from the store, not from what we believe to have written. */
  private placeOf(row: InteractionRow): ChainPlace {
    const { chain, statements } = this;
    if (chain.head === null) {
      const newest = statements.newestChain.get(1);
      statements.openChain.run(chain.open(newest === undefined ? null : headOf(newest)));
    }
    const attempts = statements.attempts.all(row.request_id).sort((one, other) => one.number - other.number);
    return chain.link({ kind: 'interaction', row, attempts });
  }

  /** The end of an attempt must be on record even if its start is missing. */
  private end(requestId: RequestId, attempt: Attempt): void {
    const end = endRowOf(attempt);
    if (this.statements.endAttempt.run(end, requestId, attempt.number) > 0) return;
    this.statements.insertAttempt.run({ ...startRowOf(requestId, attempt), ...end });
  }
}

function neverOpened(requestId: RequestId): Error {
  return new Error(`${requestId} was never opened`);
}
