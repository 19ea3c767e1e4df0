import type { AuditRecord } from '../../domain/audit/audit-record';
import type { GatewayError } from '../../domain/error/gateway-error';
import type { RequestId } from '../../domain/kernel/ids';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { ApiKey } from '../../domain/tenant/api-key';
import { hasScope } from '../../domain/tenant/api-key';
import type { AuditFilter, AuditLog, AuditPage, PageRequest } from '../port/audit-log';

const NOTHING: AuditPage = { records: [], next: null };

/** Audit records as far as the reader may see them: a tenant's key its own, an operator's key all. */
export class QueryAudit {
  constructor(private readonly log: AuditLog) {}

  async page(filter: AuditFilter, page: PageRequest, reader: ApiKey): Promise<AuditPage> {
    const { tenantId } = reader;
    if (tenantId === null) return seesAll(reader) ? this.log.page(filter, page) : NOTHING;
    // Asked for another tenant, the answer is the one for a tenant without records.
    if (filter.tenant !== undefined && filter.tenant !== tenantId) return NOTHING;
    return this.log.page({ ...filter, tenant: tenantId }, page);
  }

  async record(requestId: RequestId, reader: ApiKey): Promise<Result<AuditRecord, GatewayError>> {
    const record = await this.log.find(requestId);
    const visible = record !== undefined && (seesAll(reader) || reader.tenantId === record.tenant);
    return visible
      ? ok(record)
      : err({ code: 'not_found', message: `There is no audit record '${requestId}'.` });
  }
}

function seesAll(reader: ApiKey): boolean {
  return reader.tenantId === null && hasScope(reader, 'operator');
}
