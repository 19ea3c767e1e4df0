import { recordsIn } from '../../../../src/infra/store/audit-records';
import type { Stretch } from '../../../../src/infra/store/audit-stretch';
import { sqliteHints } from '../../../../src/infra/store/planner-hints';
import { openSqliteDatabase, type SqliteDatabase } from '../../../../src/infra/store/sqlite/sqlite-database';
import type { AuditFilter } from '../../../../src/usecase/port/audit-log';

const FAILED: AuditFilter = { tenant: 'ten_1', state: 'failed' };
const PLACE = { openedAtMs: 1, requestId: 'req_1' };
const STRETCHES: readonly Stretch[] = [
  { after: null, last: null },
  { after: PLACE, last: null },
  { after: null, last: PLACE },
  { after: PLACE, last: PLACE },
];

// The embedded store has no statistics of its tables: what the planner takes now, it takes for ever.
describe('a page of audit records on a new store', () => {
  let database: SqliteDatabase;
  beforeAll(async () => {
    database = await openSqliteDatabase(':memory:');
  });
  afterAll(() => database.close());

  it.each<[string, AuditFilter, string]>([
    ['fallbacks', { fallback: true }, 'interactions_by_fallback'],
    ['the fallbacks of a tenant', { tenant: 'ten_1', fallback: true }, 'interactions_by_tenant_fallback'],
    ['an error code', { errorCode: 'provider_failed' }, 'interactions_by_error'],
    ['an error code of a tenant', { tenant: 'ten_1', errorCode: 'a' }, 'interactions_by_tenant_error'],
    ['a parent', { parentRequestId: 'p' }, 'interactions_by_parent'],
    ['a parent of a tenant', { tenant: 'ten_1', parentRequestId: 'p' }, 'interactions_by_tenant_parent'],
    ['what failed', { state: 'failed' }, 'interactions_by_state'],
    ['what of a tenant was cut', { tenant: 'ten_1', state: 'partial' }, 'interactions_by_tenant_state'],
    ['what failed in a time', { state: 'failed', fromMs: 1, toMs: 2 }, 'interactions_by_state'],
    ['what of a tenant failed in a time', { ...FAILED, fromMs: 1, toMs: 2 }, 'interactions_by_tenant_state'],
    ['what of a tenant failed since', { ...FAILED, fromMs: 1 }, 'interactions_by_tenant_state'],
    ['what of a tenant failed before', { ...FAILED, toMs: 2 }, 'interactions_by_tenant_state'],
    ['what of a service failed', { ...FAILED, service: 's' }, 'interactions_by_tenant_state'],
    ['an error code that failed', { state: 'failed', errorCode: 'a' }, 'interactions_by_error'],
    ['an error code of a tenant that failed', { ...FAILED, errorCode: 'a' }, 'interactions_by_tenant_error'],
    ['a parent that failed', { state: 'failed', parentRequestId: 'p' }, 'interactions_by_parent'],
    [
      'a parent of a tenant that failed',
      { ...FAILED, parentRequestId: 'p' },
      'interactions_by_tenant_parent',
    ],
    ['fallbacks that failed', { state: 'failed', fallback: true }, 'interactions_by_fallback'],
    ['fallbacks of a tenant that failed', { ...FAILED, fallback: true }, 'interactions_by_tenant_fallback'],
  ])('finds %s by an index of its own, on every page', (_, filter, index) => {
    for (const stretch of STRETCHES) {
      const query = recordsIn(database.kysely, sqliteHints, filter, stretch).limit(50).compile();

      const plan = database.connection
        .prepare<unknown[], { detail: string }>(`explain query plan ${query.sql}`)
        .all(...query.parameters);

      expect(plan[0]?.detail).toMatch(new RegExp(`USING INDEX ${index}( |$)`));
    }
  });
});
