import type { Kysely } from 'kysely';
import type { ChangeFilter, ChangeLog, ChangePage, ChangePageRequest } from '../../usecase/port/change-log';
import { changeOf, type ChangeRow } from './change-row';
import type { StoreSchema } from './schema';
import { guarded } from './store-failure';

/** The column that each condition of equality looks at. */
const EQUAL = {
  tenant: 'tenant',
  by: 'changed_by',
  objectKind: 'object_kind',
  objectId: 'object_id',
  action: 'action',
} as const satisfies Partial<Record<keyof ChangeFilter, keyof ChangeRow>>;

type Position = Pick<ChangeRow, 'at' | 'id'>;

export class SqlChangeLog implements ChangeLog {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  page(filter: ChangeFilter, page: ChangePageRequest): Promise<ChangePage> {
    return guarded(async () => {
      const after = page.after === null ? null : await this.positionOf(page.after, filter);
      if (after === undefined) return { changes: [], next: null };
      const rows = await this.rows(filter, after, page.limit + 1);
      const shown = rows.slice(0, page.limit);
      const next = rows.length > shown.length ? (shown.at(-1)?.id ?? null) : null;
      return { changes: shown.map(changeOf), next };
    });
  }

  /** Only within the filter's tenant: a cursor must not tell whether another tenant's change exists. */
  private positionOf(id: string, filter: ChangeFilter): Promise<Position | undefined> {
    const query = this.db.selectFrom('audit_changes').select(['at', 'id']).where('id', '=', id);
    const own = filter.tenant === undefined ? query : query.where('tenant', '=', filter.tenant);
    return own.executeTakeFirst();
  }

  private rows(filter: ChangeFilter, after: Position | null, limit: number): Promise<ChangeRow[]> {
    let query = this.db.selectFrom('audit_changes').selectAll();
    for (const field of Object.keys(EQUAL) as (keyof typeof EQUAL)[]) {
      const wanted = filter[field];
      if (wanted !== undefined) query = query.where(EQUAL[field], '=', wanted);
    }
    if (filter.fromMs !== undefined) query = query.where('at', '>=', filter.fromMs);
    if (filter.toMs !== undefined) query = query.where('at', '<', filter.toMs);
    if (after !== null) {
      query = query.where((where) => where(where.refTuple('at', 'id'), '<', where.tuple(after.at, after.id)));
    }
    return query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute();
  }
}
