import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** By which a start knows whether it has the secret key that the store was used with. */
export const secretKeyMark: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('secret_key_mark')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('mark', 'text', (column) => column.notNull())
      .execute();
  },
};
