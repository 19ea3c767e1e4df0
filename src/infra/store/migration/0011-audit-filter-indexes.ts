import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What an auditor looks for is rare. Its tenant comes first: of two indexes the planner takes the one with more of the conditions. */
const INDEXES = [
  { name: 'interactions_by_fallback', columns: ['opened_at', 'request_id'], holds: 'fallback_reason' },
  {
    name: 'interactions_by_tenant_fallback',
    columns: ['tenant', 'opened_at', 'request_id'],
    holds: 'fallback_reason',
  },
  {
    name: 'interactions_by_tenant_error',
    columns: ['tenant', 'error_code', 'opened_at', 'request_id'],
    holds: 'error_code',
  },
  {
    name: 'interactions_by_tenant_parent',
    columns: ['tenant', 'parent_request_id', 'opened_at', 'request_id'],
    holds: 'parent_request_id',
  },
];

/** Pages of audit records that an index finds, within a tenant too. Only rows that hold something are in them. */
export const auditFilterIndexes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const { name, columns, holds } of INDEXES) {
      const index = db.schema.createIndex(name).on('interactions').columns(columns);
      await index.where(sql.ref(holds), 'is not', null).execute();
    }
  },
};
