import type { Kysely } from 'kysely';
import type { StoreSchema } from './schema';
import { guarded } from './store-failure';

const ONLY_ROW = 1;

/**
 * The mark of the secret key that a store is used with. A key that was lost, or differs between replicas, would make kept
 * answers and archives unreadable and let an `Idempotency-Key` run twice, without a word.
 */
export class SecretKeyMark {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  /** Whether the store was used with this key, or with none before. */
  matches(mark: string): Promise<boolean> {
    return guarded(async () => {
      await this.db
        .insertInto('secret_key_mark')
        .values({ id: ONLY_ROW, mark })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const row = await this.db.selectFrom('secret_key_mark').select('mark').executeTakeFirstOrThrow();
      return row.mark === mark;
    });
  }

  /** From now on it is used with this one. */
  replace(mark: string): Promise<void> {
    return guarded(async () => {
      await this.db.updateTable('secret_key_mark').set({ mark }).execute();
    });
  }
}
