import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What the checks of a channel saw: one row per offering, in place of the one before. */
export const offeringChecks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('offering_checks')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('results', 'text', (column) => column.notNull())
      .execute();
  },
};
