import type { PoolClient, QueryConfig } from 'pg';
import type { ChainHead } from '../../../domain/audit/hash-chain';
import { err, ok, type Result } from '../../../domain/kernel/result';
import { StoreUnavailable } from '../../../usecase/port/store-unavailable';
import type { ChainWriter } from '../chain-writer';
import type { BatchCommitter } from '../group-commit';
import type { InteractionWrite, InteractionWritten } from '../interaction-store';
import { errorFactsOf } from '../error-facts';
import { isStoreFailure, storeErrorOf } from '../store-failure';
import { BatchReader, newestChainOf, NOTHING_STORED, type BatchReading } from './batch-reading';
import { BatchRows } from './batch-rows';
import { InteractionBatch } from './interaction-batch';
import type { PostgresDatabase } from './postgres-database';
import { endingOf, failureIn, roundTrip } from './round-trip';

type Outcome = Result<InteractionWritten, unknown>;
type Writes = readonly InteractionWrite[];
type Batch = Readonly<{
  writes: Writes;
  reading: BatchReading;
  /** What has to be sent before the first row. */
  begin: readonly QueryConfig[];
  /** The chain that was opened last; asked for only where this batch may open one. */
  newest: ChainHead | null;
}>;

/**
 * Commits interaction writes on PostgreSQL: a batch is one transaction of two round trips, whatever its size. One batch at a
 * time: the records of the next one continue the chain where this one's end, so it waits and grows meanwhile.
 */
export class PostgresInteractionCommitter implements BatchCommitter<InteractionWrite, InteractionWritten> {
  private readonly reader: BatchReader;

  constructor(
    private readonly database: Pick<PostgresDatabase, 'interactions' | 'columns'>,
    private readonly chain: ChainWriter,
  ) {
    this.reader = new BatchReader(database.columns);
  }

  async commit(writes: Writes): Promise<readonly Outcome[]> {
    const client = await this.database.interactions.connect();
    let connection: 'sound' | 'suspect' = 'suspect';
    try {
      const outcomes = await this.commitTogether(client, writes);
      connection = 'sound';
      return outcomes;
    } finally {
      client.release(connection === 'suspect');
    }
  }

  /** Where one of the writes is wrong in itself, or lost a race, the halves are tried apart, and their halves. */
  private async commitTogether(client: PoolClient, writes: Writes): Promise<readonly Outcome[]> {
    try {
      return await this.transaction(client, writes);
    } catch (error) {
      if (isStoreFailure(error) && !isConflict(error)) throw error;
      await roundTrip(client, [{ text: 'rollback' }]);
      if (writes.length === 1) return [await this.commitAgain(client, writes)];
      const middle = Math.ceil(writes.length / 2);
      const first = await this.commitTogether(client, writes.slice(0, middle));
      return [...first, ...(await this.commitRest(client, writes.slice(middle)))];
    }
  }

  /** A write that lost a race finds what the winner has stored; one that is wrong is as wrong as before. */
  private async commitAgain(client: PoolClient, writes: Writes): Promise<Outcome> {
    try {
      const [outcome] = await this.transaction(client, writes);
      return outcome ?? err(new Error('A batch of one write had no outcome.'));
    } catch (error) {
      await roundTrip(client, [{ text: 'rollback' }]);
      return err(storeErrorOf(error));
    }
  }

  /** The writes before these are durable, so what the store fails at now is these alone. */
  private async commitRest(client: PoolClient, writes: Writes): Promise<readonly Outcome[]> {
    try {
      return await this.commitTogether(client, writes);
    } catch (error) {
      return writes.map(() => err(storeErrorOf(error)));
    }
  }

  private async transaction(client: PoolClient, writes: Writes): Promise<readonly Outcome[]> {
    const stored = await this.reader.read(client, writes);
    const begin = stored === null ? [{ text: 'begin' }] : [];
    const batch = { writes, reading: stored ?? NOTHING_STORED, begin };
    // What opens or goes on takes no place in the chain, so it waits for nobody there.
    if (writes.every(({ kind }) => kind !== 'close')) return this.write(client, { ...batch, newest: null });
    const endTurn = await this.chain.turn();
    const before = this.chain.head;
    try {
      const newest = before === null ? await newestChainOf(client) : null;
      return await this.write(client, { ...batch, newest });
    } catch (error) {
      this.unlink(before, error);
      throw error;
    } finally {
      endTurn();
    }
  }

  /** Whatever stands on top of `before` is not stored, or nobody knows. */
  private unlink(before: ChainHead | null, error: unknown): void {
    const { chain } = this;
    const mayBeStored = error instanceof StoreUnavailable && error.written === 'unknown';
    if (mayBeStored && chain.head !== before) chain.abandon();
    else chain.backTo(before);
  }

  private async write(client: PoolClient, batch: Batch): Promise<readonly Outcome[]> {
    const { outcomes, statements } = this.decide(batch);
    const answers = await roundTrip(client, [...batch.begin, ...statements, { text: 'commit' }]);
    const failure = failureIn(answers);
    switch (endingOf(answers)) {
      case 'committed':
        return outcomes;
      case 'rolled_back':
        throw failure === null ? new StoreUnavailable('The store rolled back.') : failure.reason;
      case 'unknown':
        throw new StoreUnavailable('The store did not say whether it has committed.', {
          cause: failure?.reason,
          written: 'unknown',
        });
    }
  }

  private decide({ writes, reading, newest }: Batch) {
    const { chain } = this;
    const before = chain.head;
    const rows = new BatchRows();
    const batch = new InteractionBatch(reading, { chain, newest }, rows);
    const outcomes = writes.map((write) => outcomeOf(batch, write));
    batch.collect();
    const { head } = chain;
    if (head !== null && head !== before) rows.add('heads', headRowOf(head));
    return { outcomes, statements: rows.statements() };
  }
}

/** A write that is wrong in itself is no reason for the others to fail. */
function outcomeOf(batch: InteractionBatch, write: InteractionWrite): Outcome {
  try {
    return ok(batch.apply(write));
  } catch (error) {
    return err(error);
  }
}

/** Two transactions stood in each other's way (class 40): this one was rolled back, and may be tried again. */
function isConflict(error: unknown): boolean {
  return /^40[0-9A-Z]{3}$/.test(errorFactsOf(error).code);
}

function headRowOf({ writer, sequence, hash }: ChainHead) {
  return { writer, last_sequence: sequence, last_hash: hash };
}
