import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Hash chains over closed interactions and over changes of the configuration (ADR 14). */
export const auditChain: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await addPlaces(db);
    await createChains(db);
    await createChanges(db);
    await createFilterIndexes(db);
  },
};

async function addPlaces(db: Kysely<unknown>): Promise<void> {
  // One column at a time: SQLite adds no more than that.
  await db.schema.alterTable('interactions').addColumn('writer', 'text').execute();
  await db.schema.alterTable('interactions').addColumn('sequence', 'bigint').execute();
  await db.schema.alterTable('interactions').addColumn('hash', 'text').execute();
  await db.schema
    .createIndex('interactions_by_chain')
    .on('interactions')
    .columns(['writer', 'sequence'])
    .unique()
    .where(sql.ref('writer'), 'is not', null)
    .execute();
}

async function createChains(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_chains')
    .addColumn('writer', 'text', (column) => column.primaryKey())
    .addColumn('opened_at', 'bigint', (column) => column.notNull())
    .addColumn('previous_writer', 'text')
    .addColumn('previous_sequence', 'bigint')
    .addColumn('previous_hash', 'text')
    .addColumn('genesis_hash', 'text', (column) => column.notNull())
    .addColumn('last_sequence', 'bigint', (column) => column.notNull())
    .addColumn('last_hash', 'text', (column) => column.notNull())
    .execute();
  // Records that were closed before there were chains, so that one inserted later is one too many.
  await db.schema
    .createTable('audit_baseline')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('unchained', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into audit_baseline (id, unchained)
    select 1, count(*) from interactions where closed_at is not null`.execute(db);
}

async function createChanges(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_changes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('changed_by', 'text', (column) => column.notNull())
    .addColumn('tenant', 'text')
    .addColumn('object_kind', 'text', (column) => column.notNull())
    .addColumn('object_id', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('from_version', 'bigint')
    .addColumn('to_version', 'bigint')
    .addColumn('fields', 'text', (column) => column.notNull())
    .addColumn('writer', 'text', (column) => column.notNull())
    .addColumn('sequence', 'bigint', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('audit_changes_by_chain')
    .on('audit_changes')
    .columns(['writer', 'sequence'])
    .unique()
    .execute();
  await db.schema.createIndex('audit_changes_by_time').on('audit_changes').columns(['at', 'id']).execute();
  await db.schema
    .createIndex('audit_changes_by_tenant')
    .on('audit_changes')
    .columns(['tenant', 'at', 'id'])
    .execute();
  await db.schema
    .createIndex('audit_changes_by_object')
    .on('audit_changes')
    .columns(['object_kind', 'object_id', 'to_version'])
    .execute();
}

async function createFilterIndexes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('interactions_by_parent')
    .on('interactions')
    .column('parent_request_id')
    .where(sql.ref('parent_request_id'), 'is not', null)
    .execute();
  await db.schema
    .createIndex('interactions_by_error')
    .on('interactions')
    .columns(['error_code', 'opened_at'])
    .where(sql.ref('error_code'), 'is not', null)
    .execute();
  await db.schema
    .createIndex('attempts_by_fault')
    .on('attempts')
    .columns(['fault_class', 'request_id'])
    .where(sql.ref('fault_class'), 'is not', null)
    .execute();
  // Retention asks for old rows without a chain; soon there are none.
  await db.schema
    .createIndex('interactions_unchained')
    .on('interactions')
    .column('closed_at')
    .where(sql.ref('writer'), 'is', null)
    .where(sql.ref('closed_at'), 'is not', null)
    .execute();
}
