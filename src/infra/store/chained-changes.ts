import type { Kysely, Transaction } from 'kysely';
import type { AdminChange } from '../../domain/audit/admin-change';
import type { ChainHead } from '../../domain/audit/hash-chain';
import type { ApiKeyId } from '../../domain/kernel/ids';
import { headOf } from './audit-chain-row';
import { insertChain, lockOpenings, moveHead, newestChain } from './chain-queries';
import type { ChainWriter } from './chain-writer';
import { changeRowOf } from './change-row';
import type { StoreSchema } from './schema';

/** What happened, before it is stamped with an id, the time and an author. `by` null: who makes the current write. */
export type ChangeFacts = Omit<AdminChange, 'id' | 'atMs' | 'by'> & Readonly<{ by: ApiKeyId | null }>;

/** Stamps a change and puts it into the chain of this process, within the transaction that makes it. */
export type AppendChange = (facts: ChangeFacts) => Promise<void>;

export type ChainedChangesDeps = Readonly<{
  db: Kysely<StoreSchema>;
  chain: ChainWriter;
  newId: () => string;
  nowMs: () => number;
  /** On whose behalf the current write is made. */
  author: () => ApiKeyId;
}>;

/** Transactions whose changes are chained: both are durable together, or neither is. */
export class ChainedChanges {
  constructor(private readonly deps: ChainedChangesDeps) {}

  /** The chain is ours from the first entry until it is known how the transaction ended: another's must not continue a lost one. */
  transact<T>(work: (transaction: Transaction<StoreSchema>, append: AppendChange) => Promise<T>): Promise<T> {
    const { db, chain } = this.deps;
    const linking = new Linking(chain);
    return db.connection().execute(async (connection) => {
      try {
        return await connection.transaction().execute(async (transaction) => {
          const result = await work(transaction, async (facts) => {
            await linking.begin();
            await this.append(transaction, this.stamped(facts));
          });
          linking.committing();
          return result;
        });
      } catch (error) {
        linking.undo();
        throw error;
      } finally {
        linking.end();
      }
    });
  }

  private async append(transaction: Transaction<StoreSchema>, change: AdminChange): Promise<void> {
    const { chain } = this.deps;
    if (chain.head === null) {
      await lockOpenings(transaction).execute();
      const newest = await newestChain(transaction).executeTakeFirst();
      await insertChain(transaction, chain.open(newest === undefined ? null : headOf(newest))).execute();
    }
    const row = changeRowOf(change);
    const place = chain.link({ kind: 'change', row, attempts: [] });
    await transaction
      .insertInto('audit_changes')
      .values({ ...row, ...place })
      .execute();
    await moveHead(transaction, place).execute();
  }

  private stamped(facts: ChangeFacts): AdminChange {
    const { newId, nowMs, author } = this.deps;
    return { ...facts, id: newId(), atMs: nowMs(), by: facts.by ?? author() };
  }
}

/** One transaction's use of the chain. Most that are begun link nothing. */
class Linking {
  private turn: Readonly<{ before: ChainHead | null; end: () => void }> | null = null;
  private state: 'working' | 'committing' = 'working';

  constructor(private readonly chain: ChainWriter) {}

  async begin(): Promise<void> {
    if (this.turn !== null) return;
    const end = await this.chain.turn();
    this.turn = { before: this.chain.head, end };
  }

  committing(): void {
    this.state = 'committing';
  }

  undo(): void {
    if (this.turn === null) return;
    const { chain } = this;
    const { before } = this.turn;
    if (this.state === 'committing' && chain.head !== before) chain.abandon();
    else chain.backTo(before);
  }

  end(): void {
    this.turn?.end();
  }
}
