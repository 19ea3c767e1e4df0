import type { BooksSeen } from '../../../src/domain/wallet/books';
import { storesOn } from '../store/sqlite-stores';
import type { Asked } from './caller';
import type { PaidTenant } from './mix';
import type { ProviderCall } from './provider-call';
import type { MoneyStage } from './stage';
import { interactionsIn, type SeenInteraction } from './stored-interactions';

/** Everything that callers, providers and the gateway's own store know after a mix. */
export type Seen = Readonly<{
  asked: readonly Asked[];
  calls: readonly ProviderCall[];
  interactions: readonly SeenInteraction[];
  books: Readonly<Record<PaidTenant, BooksSeen>>;
  credits: Readonly<Record<PaidTenant, number>>;
  /** The sum of all entries of all wallets. */
  entriesSum: number;
}>;

export async function seenAfter(stage: MoneyStage, asked: readonly Asked[]): Promise<Seen> {
  const calls = await stage.providers.calls();
  return stage.onStore(async (database) => {
    const { kysely: db } = database;
    const entries = await db.selectFrom('wallet_entries').select('amount_micro_usd').execute();
    const { wallets } = await storesOn(database);
    const [demo, poor] = [await wallets.inspect('demo'), await wallets.inspect('poor')];
    return {
      asked,
      calls,
      interactions: await interactionsIn(db),
      books: { demo: demo!, poor: poor! },
      credits: stage.credits,
      entriesSum: entries.reduce((sum, { amount_micro_usd: amount }) => sum + amount, 0),
    };
  });
}
