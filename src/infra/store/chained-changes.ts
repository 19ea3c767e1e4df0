import type { Kysely, Transaction } from 'kysely';
import type { AdminChange } from '../../domain/audit/admin-change';
import type { ChainHead } from '../../domain/audit/hash-chain';
import { headOf } from './audit-chain-row';
import { insertChain, lockOpenings, moveHead, newestChain } from './chain-queries';
import type { ChainWriter } from './chain-writer';
import { changeRowOf } from './change-row';
import type { StoreSchema } from './schema';

/** Puts a change into the chain of this process, within the transaction that makes it. */
export type AppendChange = (change: AdminChange) => Promise<void>;

/** Transactions whose changes are chained: both are durable together, or neither is. */
export class ChainedChanges {
  constructor(
    private readonly db: Kysely<StoreSchema>,
    private readonly chain: ChainWriter,
  ) {}

  /** The chain is ours from the first entry until it is known how the transaction ended: another's must not continue a lost one. */
  transact<T>(work: (transaction: Transaction<StoreSchema>, append: AppendChange) => Promise<T>): Promise<T> {
    const linking = new Linking(this.chain);
    return this.db.connection().execute(async (connection) => {
      try {
        return await connection.transaction().execute(async (transaction) => {
          const result = await work(transaction, async (change) => {
            await linking.begin();
            await this.append(transaction, change);
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
    const { chain } = this;
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
