import type { Kysely, Transaction } from 'kysely';
import type { AdminChange } from '../../domain/audit/admin-change';
import { headOf } from './audit-chain-row';
import { insertChain, moveHead, newestChain } from './chain-queries';
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

  /** The connection is held until the chain knows how the transaction ended, or another's record would continue a lost one. */
  transact<T>(work: (transaction: Transaction<StoreSchema>, append: AppendChange) => Promise<T>): Promise<T> {
    const { chain } = this;
    return this.db.connection().execute(async (connection) => {
      const before = chain.head;
      let committing = false;
      try {
        return await connection.transaction().execute(async (transaction) => {
          const result = await work(transaction, (change) => this.append(transaction, change));
          committing = true;
          return result;
        });
      } catch (error) {
        if (committing && chain.head !== before) chain.abandon();
        else chain.backTo(before);
        throw error;
      }
    });
  }

  private async append(transaction: Transaction<StoreSchema>, change: AdminChange): Promise<void> {
    const { chain } = this;
    if (chain.head === null) {
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
