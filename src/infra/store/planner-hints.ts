import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { AuditFilter } from '../../usecase/port/audit-log';
import { hasIndexOfItsOwn, isIndexed } from './audit-indexes';
import type { Stretch } from './audit-stretch';
import type { StoreSchema } from './schema';

type Where = ExpressionBuilder<StoreSchema, 'interactions'>;

/** What follows from the other conditions of a page, but not for the planner of the store. */
export type PlannerHints = (filter: AuditFilter, stretch: Stretch) => (where: Where) => Expression<SqlBool>;

/** An index of a part of the table is taken only where the query names the part as the index does. */
export const sqliteHints: PlannerHints = (filter) => (where) => {
  const isWanted = isIndexed(filter.state) && !hasIndexOfItsOwn(filter);
  return where.and(isWanted ? [sql<SqlBool>`state not in ('open', 'served')`] : []);
};

/** From two bounds of a pair PostgreSQL can't tell how few records lie between them, and would rather read the whole table. */
export const postgresHints: PlannerHints =
  (_filter, { after, last }) =>
  (where) =>
    where.and([
      ...(after === null ? [] : [where('opened_at', '<=', after.openedAtMs)]),
      ...(last === null ? [] : [where('opened_at', '>=', last.openedAtMs)]),
    ]);
