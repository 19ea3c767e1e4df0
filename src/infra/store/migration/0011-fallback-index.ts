import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Auditors ask for fallbacks, and where there are few of them a page would look through every record. */
export const fallbackIndex: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createIndex('interactions_by_fallback')
      .on('interactions')
      .columns(['opened_at', 'request_id'])
      .where(sql.ref('fallback_reason'), 'is not', null)
      .execute();
  },
};
