import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Whether a request was drawn for its policy's canary. Null in the rows of before: a closed one is hashed as it was stored,
 * and columns that hold nothing are left out of that.
 */
export const canary: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('interactions').addColumn('canary', 'integer').execute();
  },
};
