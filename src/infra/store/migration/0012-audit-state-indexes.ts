import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The tenant's first: of two that fit alike SQLite takes the older one. */
const INDEXES = [
  { name: 'interactions_by_tenant_state', columns: ['tenant', 'state', 'opened_at', 'request_id'] },
  { name: 'interactions_by_state', columns: ['state', 'opened_at', 'request_id'] },
];

/** Pages of what didn't end well. What ends well is in none of them, so it costs nothing more to record. */
export const auditStateIndexes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const { name, columns } of INDEXES) {
      const index = db.schema.createIndex(name).on('interactions').columns(columns);
      await index.where(sql<boolean>`state not in ('open', 'served')`).execute();
    }
  },
};
