import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Wallets with their double-entry books, and what an interaction holds of one (ADR 15). */
export const wallet: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await addColumns(db);
    await createWallets(db);
    await createEntries(db);
  },
};

async function addColumns(db: Kysely<unknown>): Promise<void> {
  // One column at a time: SQLite adds no more than that.
  const { schema } = db;
  await schema
    .alterTable('tenants')
    .addColumn('wallet', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await schema.alterTable('interactions').addColumn('billable_id', 'text').execute();
  await schema.alterTable('interactions').addColumn('reservation_micro_usd', 'bigint').execute();
  await schema.alterTable('interactions').addColumn('cache_write_1h_tokens', 'bigint').execute();
  await schema.alterTable('attempts').addColumn('cache_write_1h_tokens', 'bigint').execute();
  await schema.alterTable('attempts').addColumn('estimated_input_tokens', 'bigint').execute();
  await schema.alterTable('attempts').addColumn('estimated_cost_pico_usd', 'bigint').execute();
}

async function createWallets(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('wallets')
    .addColumn('tenant', 'text', (column) => column.primaryKey().references('tenants.id'))
    .addColumn('opened_at', 'bigint', (column) => column.notNull())
    .addColumn('available_micro_usd', 'bigint', (column) => column.notNull())
    .addColumn('reserved_micro_usd', 'bigint', (column) => column.notNull())
    .addColumn('spent_micro_usd', 'bigint', (column) => column.notNull())
    .execute();
}

async function createEntries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('wallet_entries')
    .addColumn('movement', 'text', (column) => column.notNull())
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('amount_micro_usd', 'bigint', (column) => column.notNull())
    .addColumn('request_id', 'text')
    .addColumn('reference', 'text')
    .addColumn('note', 'text')
    .addPrimaryKeyConstraint('wallet_entries_key', ['movement', 'account'])
    .execute();
  await db.schema
    .createIndex('wallet_entries_by_tenant')
    .on('wallet_entries')
    .columns(['tenant', 'at', 'movement', 'account'])
    .execute();
  // A credit has two entries, and its reference stands for both.
  await db.schema
    .createIndex('wallet_entries_by_reference')
    .on('wallet_entries')
    .columns(['tenant', 'reference', 'account'])
    .unique()
    .where(sql.ref('reference'), 'is not', null)
    .execute();
}
