import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { AuditFilter } from '../../usecase/port/audit-log';
import { isRare } from './audit-conditions';
import type { Stretch } from './audit-stretch';
import type { StoreSchema } from './schema';
import type { StoreDatabase } from './store-database';

type Where = ExpressionBuilder<StoreSchema, 'interactions'>;
type Conditions = Expression<SqlBool>[];

/** What follows from the other conditions of a page, but not for the planner of the store. */
export function plannerHints(
  dialect: StoreDatabase['kind'],
  filter: AuditFilter,
  stretch: Stretch,
): (where: Where) => Expression<SqlBool> {
  return (where) => where.and(dialect === 'sqlite' ? partOfIndex(filter) : times(stretch, where));
}

/** An index of a part of the table is taken only where the query names the part as the index does. */
function partOfIndex({ state }: AuditFilter): Conditions {
  return state !== undefined && isRare(state) ? [sql<SqlBool>`state not in ('open', 'served')`] : [];
}

/** From two bounds of a pair PostgreSQL can't tell how few records lie between them, and would rather read the whole table. */
function times({ after, last }: Stretch, where: Where): Conditions {
  return [
    ...(after === null ? [] : [where('opened_at', '<=', after.opened_at)]),
    ...(last === null ? [] : [where('opened_at', '>=', last.opened_at)]),
  ];
}
