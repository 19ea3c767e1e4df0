import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Who holds which idempotency key, with the answer to be repeated, and which interactions claimed one (ADR 16). */
export const idempotencyKeys: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('interactions').addColumn('idempotency_key_used', 'integer').execute();
    await db.schema
      .createTable('idempotency_keys')
      .addColumn('tenant', 'text', (column) => column.notNull())
      .addColumn('key_hash', 'text', (column) => column.notNull())
      .addColumn('body_hash', 'text', (column) => column.notNull())
      .addColumn('request_id', 'text', (column) => column.notNull().unique())
      .addColumn('billable_id', 'text', (column) => column.notNull())
      .addColumn('claimed_at', 'bigint', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('answer', 'text')
      .addPrimaryKeyConstraint('idempotency_keys_key', ['tenant', 'key_hash'])
      .execute();
    await db.schema
      .createIndex('idempotency_keys_by_time')
      .on('idempotency_keys')
      .column('claimed_at')
      .execute();
  },
};
