import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What tenants have archived for a while, sealed, and how providers fared, minute by minute (ADR 23). */
export const archiveAndProviderMinutes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createArchive(db);
    await db.schema
      .createTable('provider_minutes')
      .addColumn('minute', 'bigint', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('answered', 'bigint', (column) => column.notNull())
      .addColumn('failed', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('provider_minutes_key', ['minute', 'provider'])
      .execute();
  },
};

async function createArchive(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema.alterTable('tenants').addColumn('archive', 'text').execute();
  await schema
    .createTable('archive_entries')
    .addColumn('request_id', 'text', (column) => column.primaryKey())
    .addColumn('tenant', 'text', (column) => column.notNull().references('tenants.id'))
    .addColumn('archived_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('archive_entries_by_tenant')
    .on('archive_entries')
    .columns(['tenant', 'request_id'])
    .execute();
  await schema.createIndex('archive_entries_by_expiry').on('archive_entries').column('expires_at').execute();
}
