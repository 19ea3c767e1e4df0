import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What was found in a request, and what was taken out of it for a provider: counts by class. Nobody looked before. */
export const piiFindings: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('interactions').addColumn('pii', 'text').execute();
    await db.schema.alterTable('attempts').addColumn('redacted', 'text').execute();
  },
};
