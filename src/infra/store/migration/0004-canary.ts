import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whether a request was drawn for its policy's canary. Nothing recorded before was said to be. */
export const canary: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .alterTable('interactions')
      .addColumn('canary', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
