import type { Kysely } from 'kysely';
import type { AuditRecord } from '../../domain/audit/audit-record';
import type { RequestId } from '../../domain/kernel/ids';
import type { AuditFilter, AuditLog, AuditPage, PageRequest } from '../../usecase/port/audit-log';
import { ledgerRowOf } from './attempt-row';
import { conditionsOf } from './audit-conditions';
import { attemptsByRequest } from './attempts-by-request';
import { auditRecordOf, type InteractionRow } from './interaction-row';
import type { StoreSchema } from './schema';
import { guarded } from './store-failure';

type Position = Pick<InteractionRow, 'opened_at' | 'request_id'>;

export class SqlAuditLog implements AuditLog {
  constructor(private readonly db: Kysely<StoreSchema>) {}

  find(requestId: RequestId): Promise<AuditRecord | undefined> {
    return guarded(async () => {
      const row = await this.db
        .selectFrom('interactions')
        .selectAll()
        .where('request_id', '=', requestId)
        .executeTakeFirst();
      return row === undefined ? undefined : (await this.withLedgers([row]))[0];
    });
  }

  page(filter: AuditFilter, page: PageRequest): Promise<AuditPage> {
    return guarded(async () => {
      const after = page.after === null ? null : await this.positionOf(page.after, filter);
      if (after === undefined) return { records: [], next: null };
      // One more than asked for tells whether there is a next page.
      const rows = await this.rows(filter, after, page.limit + 1);
      const shown = rows.slice(0, page.limit);
      const next = rows.length > shown.length ? (shown.at(-1)?.request_id ?? null) : null;
      return { records: await this.withLedgers(shown), next };
    });
  }

  /** Only within the filter's tenant: a cursor must not tell whether another tenant's record exists. */
  private positionOf(requestId: RequestId, filter: AuditFilter): Promise<Position | undefined> {
    let query = this.db
      .selectFrom('interactions')
      .select(['opened_at', 'request_id'])
      .where('request_id', '=', requestId);
    if (filter.tenant !== undefined) query = query.where('tenant', '=', filter.tenant);
    return query.executeTakeFirst();
  }

  private rows(filter: AuditFilter, after: Position | null, limit: number): Promise<InteractionRow[]> {
    let query = this.db.selectFrom('interactions').selectAll().where(conditionsOf(filter));
    if (after !== null) {
      query = query.where((where) =>
        where(where.refTuple('opened_at', 'request_id'), '<', where.tuple(after.opened_at, after.request_id)),
      );
    }
    return query.orderBy('opened_at', 'desc').orderBy('request_id', 'desc').limit(limit).execute();
  }

  private async withLedgers(rows: readonly InteractionRow[]): Promise<readonly AuditRecord[]> {
    const attempts = await attemptsByRequest(
      this.db,
      rows.map((row) => row.request_id),
    );
    return rows.map((row) => auditRecordOf(row, (attempts.get(row.request_id) ?? []).map(ledgerRowOf)));
  }
}
