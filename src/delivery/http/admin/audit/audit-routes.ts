import type { ExportAudit } from '../../../../usecase/audit/export-audit';
import type { QueryAudit } from '../../../../usecase/audit/query-audit';
import type { QueryChanges } from '../../../../usecase/audit/query-changes';
import type { VerifyAudit } from '../../../../usecase/audit/verify-audit';
import { err } from '../../../../domain/kernel/result';
import { hasScope } from '../../../../domain/tenant/api-key';
import type { AdminRoute } from '../admin-route';
import { listed, param, plain, replied, streamed, withQuery } from '../admin-route';
import { cursorOf } from '../cursor';
import { momentOf } from '../moment';
import { pageOf } from '../page-fields';
import { filterOf, type AuditFilterQuery } from './audit-filter-fields';
import { presentRecord, presentRecordWithLedger } from './audit-presenter';
import { AuditQueryDto } from './audit-query-dto';
import { changeIdOfCursor } from './change-cursor';
import { presentChange } from './change-presenter';
import { ChangeQueryDto } from './change-query-dto';
import { ExportQueryDto } from './export-query-dto';
import { EXPORT_TYPES, exportText } from './export-writer';
import { cursorOfRecord, recordOfCursor } from './record-cursor';
import { presentOwnVerification, presentVerification } from './verification-presenter';

export type AuditUseCases = Readonly<{
  queryAudit: QueryAudit;
  queryChanges: QueryChanges;
  exportAudit: ExportAudit;
  verifyAudit: VerifyAudit;
}>;

export function auditRoutes(useCases: AuditUseCases): readonly AdminRoute[] {
  return [...recordRoutes(useCases), exportRoute(useCases), verifyRoute(useCases), changesRoute(useCases)];
}

function recordRoutes({ queryAudit }: AuditUseCases): readonly AdminRoute[] {
  return [
    {
      method: 'get',
      path: '/audit/records',
      scope: 'audit:read',
      summary: 'List audit records, newest first',
      ...withQuery(AuditQueryDto, async (request, dto) => {
        const page = pageOf(dto, recordOfCursor);
        const filter = filterOf(dto as AuditFilterQuery);
        const { records, next } = await queryAudit.page(filter, page, request.caller);
        return listed(records.map(presentRecord), next === null ? null : cursorOfRecord(next));
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

function exportRoute({ exportAudit }: AuditUseCases): AdminRoute {
  return {
    method: 'get',
    path: '/audit/export',
    scope: 'audit:read',
    summary: 'Export audit records as NDJSON or CSV, newest first, streamed',
    ...withQuery(ExportQueryDto, async (request, dto) => {
      const { format = 'ndjson', rows = 'interactions' } = dto;
      const pages = exportAudit.records(filterOf(dto as AuditFilterQuery), request.caller);
      return streamed(exportText(pages, { format, rows }), {
        'content-type': EXPORT_TYPES[format],
        'content-disposition': `attachment; filename="audit-${rows}.${format}"`,
      });
    }),
  };
}

function verifyRoute({ verifyAudit }: AuditUseCases): AdminRoute {
  return {
    method: 'get',
    path: '/audit/verify',
    scope: 'audit:read',
    summary: 'Walk the hash chains and name the first break',
    ...plain(async ({ caller }) => {
      const { tenantId } = caller;
      if (tenantId !== null) {
        return replied(200, presentOwnVerification(await verifyAudit.execute(), tenantId));
      }
      if (!hasScope(caller, 'operator')) return err(NO_TENANT);
      return replied(200, presentVerification(await verifyAudit.execute()));
    }),
  };
}

const NO_TENANT = { code: 'forbidden', message: "This key lacks the scope 'operator'." } as const;

function changesRoute({ queryChanges }: AuditUseCases): AdminRoute {
  return {
    method: 'get',
    path: '/audit/changes',
    scope: 'audit:read',
    summary: 'List who changed what in the configuration, newest first',
    ...withQuery(ChangeQueryDto, async (request, dto) => {
      const filter = {
        tenant: dto.tenant,
        fromMs: momentOf(dto.from),
        toMs: momentOf(dto.to),
        by: dto.by,
        objectKind: dto.object_kind,
        objectId: dto.object_id,
        action: dto.action,
      };
      const page = pageOf(dto, changeIdOfCursor);
      const { changes, next } = await queryChanges.page(filter, page, request.caller);
      return listed(changes.map(presentChange), next === null ? null : cursorOf(next));
    }),
  };
}
