import type { Kysely } from 'kysely';
import type { AuditRecord } from '../../domain/audit/audit-record';
import type { RequestId } from '../../domain/kernel/ids';
import type {
  AuditFilter,
  AuditLog,
  AuditPage,
  AuditPosition,
  PageRequest,
} from '../../usecase/port/audit-log';
import { ledgerRowOf } from './attempt-row';
import { isFoundByIndex } from './audit-indexes';
import { newestFirst, recordsIn } from './audit-records';
import { attemptsByRequest } from './attempts-by-request';
import { auditRecordOf, type InteractionRow } from './interaction-row';
import type { PlannerHints } from './planner-hints';
import type { StoreSchema } from './schema';
import { guarded } from './store-failure';

/**
 * Records that one page looks through at most, where no index finds those that it asks for: a few milliseconds. The embedded
 * store reads on the event loop, so a filter that finds nothing in a million records would hold up every caller for half a second.
 */
const LOOKED_THROUGH = 500;

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

  page(filter: AuditFilter, { after, limit }: PageRequest): Promise<AuditPage> {
    return guarded(async () => {
      const rest = after === null ? filter : leftAfter(after, filter);
      const last = isFoundByIndex(rest) ? null : await this.endOfLook(rest, after);
      // One more than asked for tells whether there is a next page.
      const records = recordsIn(this.db, this.hints, rest, { after, last });
      const rows = await records.limit(limit + 1).execute();
      const shown = rows.slice(0, limit);
      const next = rows.length > shown.length ? positionOf(shown.at(-1)) : last;
      return { records: await this.withLedgers(shown), next };
    });
  }

  /** The last record that this page may look at; null: it may look at all that are left. */
  private async endOfLook(
    { tenant, fromMs, toMs }: AuditFilter,
    after: AuditPosition | null,
  ): Promise<AuditPosition | null> {
    const last = await newestFirst(this.db, { tenant, fromMs, toMs }, { after, last: null })
      .select(['opened_at', 'request_id'])
      .limit(1)
      .offset(this.lookedThrough - 1)
      .executeTakeFirst();
    return positionOf(last);
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
function leftAfter({ openedAtMs }: AuditPosition, { toMs, ...filter }: AuditFilter): AuditFilter {
  return toMs === undefined || openedAtMs < toMs ? filter : { ...filter, toMs };
}

function positionOf(row: Pick<InteractionRow, 'opened_at' | 'request_id'> | undefined): AuditPosition | null {
  return row === undefined ? null : { openedAtMs: row.opened_at, requestId: row.request_id };
}
