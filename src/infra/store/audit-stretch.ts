import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { InteractionRow } from './interaction-row';
import type { StoreSchema } from './schema';

export type Position = Pick<InteractionRow, 'opened_at' | 'request_id'>;

/** Where a page begins and where it ends at the latest, from the newest on; null: at the first record, and at the last. */
export type Stretch = Readonly<{ after: Position | null; last: Position | null }>;

/** The records of a stretch, its last one included. */
export function within({ after, last }: Stretch) {
  return (where: ExpressionBuilder<StoreSchema, 'interactions'>): Expression<SqlBool> => {
    const place = where.refTuple('opened_at', 'request_id');
    return where.and([
      ...(after === null ? [] : [where(place, '<', where.tuple(after.opened_at, after.request_id))]),
      ...(last === null ? [] : [where(place, '>=', where.tuple(last.opened_at, last.request_id))]),
    ]);
  };
}
