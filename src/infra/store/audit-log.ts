import type { Kysely } from 'kysely';
import type { AuditRecord } from '../../domain/audit/audit-record';
import type { RequestId } from '../../domain/kernel/ids';
import type { AuditFilter, AuditLog, AuditPage, PageRequest } from '../../usecase/port/audit-log';
import { ledgerRowOf } from './attempt-row';
import { conditionsOf } from './audit-conditions';
import { isFoundByIndex } from './audit-indexes';
import { recordsIn } from './audit-records';
import { within, type Position } from './audit-stretch';
import { attemptsByRequest } from './attempts-by-request';
import { auditRecordOf, type InteractionRow } from './interaction-row';
import type { PlannerHints } from './planner-hints';
import type { StoreSchema } from './schema';
import { guarded } from './store-failure';

/**
 * Records that one page looks through at most, where no index finds those that it asks for: a few milliseconds. The embedded
 * store reads on the event loop, so a filter that finds nothing in a million records would hold up every caller for half a second.
 */
const LOOKED_THROUGH = 1_000;

export class SqlAuditLog implements AuditLog {
  constructor(
    private readonly db: Kysely<StoreSchema>,
    private readonly hints: PlannerHints,
    private readonly lookedThrough = LOOKED_THROUGH,
  ) {}

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
      const rest = after === null ? filter : leftAfter(after, filter);
      const last = isFoundByIndex(rest) ? null : await this.endOfLook(rest, after);
      // One more than asked for tells whether there is a next page.
      const records = recordsIn(this.db, this.hints, rest, { after, last });
      const rows = await records.limit(page.limit + 1).execute();
      const shown = rows.slice(0, page.limit);
      const next = rows.length > shown.length ? shown.at(-1) : last;
      return { records: await this.withLedgers(shown), next: next?.request_id ?? null };
    });
  }

  /** The last record that this page may look at; null: it may look at all that are left. */
  private async endOfLook(
    { tenant, fromMs, toMs }: AuditFilter,
    after: Position | null,
  ): Promise<Position | null> {
    const last = await this.db
      .selectFrom('interactions')
      .select(['opened_at', 'request_id'])
      .where(conditionsOf({ tenant, fromMs, toMs }))
      .where(within({ after, last: null }))
      .orderBy('opened_at', 'desc')
      .orderBy('request_id', 'desc')
      .limit(1)
      .offset(this.lookedThrough - 1)
      .executeTakeFirst();
    return last ?? null;
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

  private async withLedgers(rows: readonly InteractionRow[]): Promise<readonly AuditRecord[]> {
    const attempts = await attemptsByRequest(
      this.db,
      rows.map((row) => row.request_id),
    );
    return rows.map((row) => auditRecordOf(row, (attempts.get(row.request_id) ?? []).map(ledgerRowOf)));
  }
}

/** Of two upper bounds SQLite takes either, and where it takes the end of the time it reads all earlier pages again. */
function leftAfter({ opened_at }: Position, { toMs, ...filter }: AuditFilter): AuditFilter {
  return toMs === undefined || opened_at < toMs ? filter : { ...filter, toMs };
}
