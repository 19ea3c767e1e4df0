import type { Kysely } from 'kysely';
import type { AuditFilter } from '../../usecase/port/audit-log';
import { conditionsOf } from './audit-conditions';
import { within, type Stretch } from './audit-stretch';
import type { PlannerHints } from './planner-hints';
import type { StoreSchema } from './schema';

/** The query for what an auditor asked for in a stretch. */
export function recordsIn(
  db: Kysely<StoreSchema>,
  hints: PlannerHints,
  filter: AuditFilter,
  stretch: Stretch,
) {
  return newestFirst(db, filter, stretch).selectAll().where(hints(filter, stretch));
}

/** Interactions, in the order of an auditor's pages. */
export function newestFirst(db: Kysely<StoreSchema>, filter: AuditFilter, stretch: Stretch) {
  return db
    .selectFrom('interactions')
    .where(conditionsOf(filter))
    .where(within(stretch))
    .orderBy('opened_at', 'desc')
    .orderBy('request_id', 'desc');
}
