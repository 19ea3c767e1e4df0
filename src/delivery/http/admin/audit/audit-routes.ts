import type { QueryAudit } from '../../../../usecase/audit/query-audit';
import type { AuditFilter } from '../../../../usecase/port/audit-log';
import type { AdminRoute } from '../admin-route';
import { listed, param, plain, replied, withQuery } from '../admin-route';
import { instantOrEpochMs } from '../instant';
import { cursorOf, requestIdOfCursor } from './audit-cursor';
import { presentRecord, presentRecordWithLedger } from './audit-presenter';
import { AuditQueryDto } from './audit-query-dto';

export type AuditUseCases = Readonly<{ queryAudit: QueryAudit }>;

const DEFAULT_LIMIT = 50;

export function auditRoutes({ queryAudit }: AuditUseCases): readonly AdminRoute[] {
  return [
    {
      method: 'get',
      path: '/audit/records',
      scope: 'audit:read',
      summary: 'List audit records, newest first',
      ...withQuery(AuditQueryDto, async (request, dto) => {
        const after = dto.cursor === undefined ? null : requestIdOfCursor(dto.cursor);
        const page = await queryAudit.page(
          filterOf(dto),
          { after, limit: dto.limit ?? DEFAULT_LIMIT },
          request.caller,
        );
        return listed(page.records.map(presentRecord), page.next === null ? null : cursorOf(page.next));
      }),
    },
    {
      method: 'get',
      path: '/audit/records/{request_id}',
      scope: 'audit:read',
      summary: 'Read an audit record with its ledger',
      ...plain(async (request) => {
        const record = await queryAudit.record(param(request, 'request_id'), request.caller);
        return record.ok ? replied(200, presentRecordWithLedger(record.value)) : record;
      }),
    },
  ];
}

function filterOf(dto: AuditQueryDto): AuditFilter {
  return {
    tenant: dto.tenant,
    fromMs: momentOf(dto.from),
    toMs: momentOf(dto.to),
    state: dto.state,
    requestedModel: dto.requested_model,
    servedProvider: dto.provider,
    servedModel: dto.model,
    fallback: dto.fallback === undefined ? undefined : dto.fallback === 'true',
    apiKey: dto.key,
    service: dto.service,
    feature: dto.feature,
  };
}

function momentOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : (instantOrEpochMs(text) ?? undefined);
}
