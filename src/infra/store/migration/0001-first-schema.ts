import { sql, type CreateTableBuilder, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The first schema. Text ids, epoch milliseconds and money as bigint, flags as 0 or 1, JSON as text (STACK §4.2). */
export const firstSchema: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createTenantTables(db);
    await createCatalogTables(db);
    await createPolicyTables(db);
    await createInteractionTables(db);
    await createConfigurationTables(db);
  },
};

async function createTenantTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('tenants')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('features', 'text', (column) => column.notNull())
    .addColumn('eligibility', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('tenant', 'text', (column) => column.references('tenants.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('secret_hash', 'text', (column) => column.notNull().unique())
    .addColumn('hint', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('groups', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute();
}

async function createCatalogTables(db: Kysely<unknown>): Promise<void> {
  await registeredTable(db, 'providers')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('data_policy', 'text', (column) => column.notNull())
    .execute();
  await registeredTable(db, 'channels')
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('base_url', 'text', (column) => column.notNull())
    .addColumn('credential_ref', 'text', (column) => column.notNull())
    .addColumn('region', 'text', (column) => column.notNull())
    .addColumn('channel_group', 'text', (column) => column.notNull())
    .addColumn('priority', 'integer', (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('options', 'text', (column) => column.notNull())
    .execute();
  await registeredTable(db, 'models')
    .addColumn('aliases', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('contract', 'text', (column) => column.notNull())
    .execute();
  await registeredTable(db, 'offerings')
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('upstream_name', 'text', (column) => column.notNull())
    .addColumn('price', 'text')
    .addColumn('contract', 'text', (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .execute();
}

function registeredTable(db: Kysely<unknown>, name: string): CreateTableBuilder<string, 'id' | 'registered'> {
  return db.schema
    .createTable(name)
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('registered', 'bigint', (column) => column.notNull());
}

async function createPolicyTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('routing_policy_versions')
    .addColumn('tenant', 'text', (column) => column.notNull().references('tenants.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('policy', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('restored_from', 'integer')
    .addPrimaryKeyConstraint('routing_policy_versions_key', ['tenant', 'name', 'version'])
    .execute();
  await db.schema
    .createTable('routing_policies')
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('routing_policies_key', ['tenant', 'name'])
    .addForeignKeyConstraint(
      'routing_policies_version',
      ['tenant', 'name', 'version'],
      'routing_policy_versions',
      ['tenant', 'name', 'version'],
    )
    .execute();
}

async function createInteractionTables(db: Kysely<unknown>): Promise<void> {
  await withUsage(
    db.schema
      .createTable('interactions')
      .addColumn('request_id', 'text', (column) => column.primaryKey())
      .addColumn('tenant', 'text', (column) => column.notNull())
      .addColumn('api_key', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('opened_at', 'bigint', (column) => column.notNull())
      .addColumn('deadline_at', 'bigint', (column) => column.notNull())
      .addColumn('requested_model', 'text', (column) => column.notNull())
      .addColumn('stream', 'integer', (column) => column.notNull())
      .addColumn('policy_name', 'text')
      .addColumn('policy_version', 'integer')
      .addColumn('planned', 'text', (column) => column.notNull())
      .addColumn('refusals', 'text', (column) => column.notNull())
      .addColumn('service', 'text')
      .addColumn('feature', 'text')
      .addColumn('parent_request_id', 'text')
      .addColumn('client_retry_count', 'integer')
      .addColumn('closed_at', 'bigint')
      .addColumn('error_code', 'text')
      .addColumn('served_route', 'text')
      .addColumn('served_provider', 'text')
      .addColumn('served_model', 'text')
      .addColumn('served_upstream_name', 'text')
      .addColumn('fallback_reason', 'text')
      .addColumn('final_refusals', 'text')
      .addColumn('attempts', 'integer')
      .addColumn('cost_micro_usd', 'bigint'),
  ).execute();
  await createAttempts(db);
  await createInteractionIndexes(db);
}

async function createAttempts(db: Kysely<unknown>): Promise<void> {
  await withUsage(
    db.schema
      .createTable('attempts')
      .addColumn('request_id', 'text', (column) =>
        column.notNull().references('interactions.request_id').onDelete('cascade'),
      )
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('route', 'text', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('region', 'text', (column) => column.notNull())
      .addColumn('model', 'text', (column) => column.notNull())
      .addColumn('upstream_name', 'text', (column) => column.notNull())
      .addColumn('trial', 'integer', (column) => column.notNull())
      .addColumn('backoff_ms', 'integer', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('outcome', 'text', (column) => column.notNull())
      .addColumn('headers_at', 'bigint')
      .addColumn('first_output_at', 'bigint')
      .addColumn('ended_at', 'bigint')
      .addColumn('status', 'integer')
      .addColumn('upstream_request_id', 'text')
      .addColumn('finish_reason', 'text')
      .addColumn('fault_class', 'text')
      .addColumn('fault_code', 'text')
      .addColumn('stage', 'text')
      .addColumn('aborted_by', 'text')
      .addColumn('retry_after_ms', 'bigint')
      .addColumn('request_sent', 'text')
      .addColumn('cost_pico_usd', 'bigint')
      .addColumn('ignored_params', 'text'),
  )
    .addPrimaryKeyConstraint('attempts_key', ['request_id', 'number'])
    .execute();
}

function withUsage<C extends string>(table: CreateTableBuilder<string, C>) {
  return table
    .addColumn('input_tokens', 'bigint')
    .addColumn('cached_input_tokens', 'bigint')
    .addColumn('cache_write_tokens', 'bigint')
    .addColumn('output_tokens', 'bigint')
    .addColumn('reasoning_tokens', 'bigint')
    .addColumn('usage_source', 'text')
    .addColumn('usage_raw', 'text');
}

async function createInteractionIndexes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('interactions_by_tenant')
    .on('interactions')
    .columns(['tenant', 'opened_at', 'request_id'])
    .execute();
  await db.schema
    .createIndex('interactions_by_time')
    .on('interactions')
    .columns(['opened_at', 'request_id'])
    .execute();
  // Only the few open rows are in it, so closed ones cost reconciliation nothing.
  await db.schema
    .createIndex('interactions_open')
    .on('interactions')
    .column('deadline_at')
    .where(sql.ref('closed_at'), 'is', null)
    .execute();
}

async function createConfigurationTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('configuration_changes')
    .addColumn('sequence', 'bigint', (column) => column.primaryKey())
    .addColumn('concept', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('configuration_sequence')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('last', 'bigint', (column) => column.notNull())
    .execute();
}
