import type { AuditRecord } from '../../src/domain/audit/audit-record';
import type { RequestId } from '../../src/domain/kernel/ids';
import type { AuditFilter, AuditLog, AuditPage, PageRequest } from '../../src/usecase/port/audit-log';

/** Audit records in a list, filtered as the port says. */
export class InMemoryAuditLog implements AuditLog {
  readonly records: AuditRecord[] = [];

  async find(requestId: RequestId): Promise<AuditRecord | undefined> {
    return this.records.find((record) => record.requestId === requestId);
  }

  async page(filter: AuditFilter, { after, limit }: PageRequest): Promise<AuditPage> {
    const found = this.records
      .filter((record) => matches(record, filter))
      .sort((a, b) => (a.requestId < b.requestId ? 1 : -1))
      .filter((record) => after === null || record.requestId < after.requestId);
    const records = found.slice(0, limit);
    return { records, next: found.length > limit ? (records.at(-1) ?? null) : null };
  }
}

function matches(record: AuditRecord, filter: AuditFilter): boolean {
  const served = record.closing?.served;
  const equal: readonly (readonly [unknown, unknown])[] = [
    [filter.tenant, record.tenant],
    [filter.state, record.state],
    [filter.requestedModel, record.requestedModel],
    [filter.servedProvider, served?.provider],
    [filter.servedModel, served?.model],
    [filter.apiKey, record.apiKey],
    [filter.service, record.service],
    [filter.feature, record.feature],
    [filter.fallback, (record.closing?.fallbackReason ?? null) !== null],
  ];
  const inTime = record.openedAtMs >= (filter.fromMs ?? 0) && record.openedAtMs < (filter.toMs ?? Infinity);
  return inTime && equal.every(([wanted, actual]) => wanted === undefined || wanted === actual);
}
