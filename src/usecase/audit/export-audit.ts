import type { AuditRecord } from '../../domain/audit/audit-record';
import type { ApiKey } from '../../domain/tenant/api-key';
import type { AuditFilter, AuditPosition } from '../port/audit-log';
import type { QueryAudit } from './query-audit';

/** Records held in memory at a time. */
const PAGE = 200;

/** Every record that a filter finds and the reader may see, newest first. Nothing is read before the last page was taken. */
export class ExportAudit {
  constructor(private readonly query: Pick<QueryAudit, 'page'>) {}

  async *records(filter: AuditFilter, reader: ApiKey): AsyncGenerator<readonly AuditRecord[]> {
    let after: AuditPosition | null = null;
    do {
      const page: Awaited<ReturnType<QueryAudit['page']>> = await this.query.page(
        filter,
        { after, limit: PAGE },
        reader,
      );
      yield page.records;
      after = page.next;
    } while (after !== null);
  }
}
