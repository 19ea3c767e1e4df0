import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * How many requests a minute a key may make and a group takes, which groups a tenant may use, and what orders those of a
 * smart key. Without a value nothing is limited, as before.
 */
export const requestsPerMinute: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('tenants').addColumn('groups', 'text').execute();
    await db.schema.alterTable('api_keys').addColumn('group_strategy', 'text').execute();
    await db.schema.alterTable('api_keys').addColumn('rpm', 'integer').execute();
  },
};
