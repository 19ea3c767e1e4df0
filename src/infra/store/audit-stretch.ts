import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { AuditPosition } from '../../usecase/port/audit-log';
import type { StoreSchema } from './schema';

/** Where a page begins and where it ends at the latest, from the newest on; null: at the first record, and at the last. */
export type Stretch = Readonly<{ after: AuditPosition | null; last: AuditPosition | null }>;

/** The records of a stretch, its last one included. */
export function within({ after, last }: Stretch) {
  return (where: ExpressionBuilder<StoreSchema, 'interactions'>): Expression<SqlBool> => {
    const place = where.refTuple('opened_at', 'request_id');
    return where.and([
      ...(after === null ? [] : [where(place, '<', where.tuple(after.openedAtMs, after.requestId))]),
      ...(last === null ? [] : [where(place, '>=', where.tuple(last.openedAtMs, last.requestId))]),
    ]);
  };
}
