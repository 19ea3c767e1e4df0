import type { AuditRecord } from '../../../../domain/audit/audit-record';
import type { JsonObject, JsonValue } from '../../../../domain/kernel/json';
import { isJsonObject } from '../../../../domain/kernel/json';
import { presentLedgerRow, presentRecord, presentRecordWithLedger } from './audit-presenter';
import { csvRow, type CsvCell } from './csv-row';
import type { ExportFormat, ExportRows } from './export-query-dto';

export type ExportForm = Readonly<{ format: ExportFormat; rows: ExportRows }>;

export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
};

type Documents = (record: AuditRecord) => readonly JsonObject[];

/** An interaction in NDJSON carries its ledger; in a table each attempt is a row of its own, or none is there. */
const DOCUMENTS: Readonly<Record<ExportFormat, Readonly<Record<ExportRows, Documents>>>> = {
  ndjson: { interactions: (record) => [presentRecordWithLedger(record)], attempts: attemptsOf },
  csv: { interactions: (record) => [presentRecord(record)], attempts: attemptsOf },
};

const RECORD_COLUMNS = [
  'request_id',
  'tenant',
  'key',
  'state',
  'opened_at',
  'closed_at',
  'requested_model',
  'stream',
  'policy.name',
  'policy.version',
  'canary',
  'served.offering',
  'served.provider',
  'served.model',
  'served.upstream_name',
  'fallback_reason',
  'error_code',
  'attempts',
  'usage.input_tokens',
  'usage.cached_input_tokens',
  'usage.cache_write_tokens',
  'usage.output_tokens',
  'usage.reasoning_tokens',
  'usage.source',
  'cost_micro_usd',
  'service',
  'feature',
  'parent_request_id',
  'client_retry_count',
  'pii',
  'refusals',
] as const;

const ATTEMPT_COLUMNS = [
  'request_id',
  'tenant',
  'number',
  'action',
  'offering',
  'provider',
  'channel',
  'region',
  'model',
  'upstream_name',
  'backoff_ms',
  'started_at',
  'headers_at',
  'first_output_at',
  'ended_at',
  'outcome',
  'status',
  'fault',
  'code',
  'stage',
  'aborted_by',
  'retry_after_ms',
  'finish_reason',
  'upstream_request_id',
  'usage.input_tokens',
  'usage.cached_input_tokens',
  'usage.output_tokens',
  'usage.reasoning_tokens',
  'usage.source',
  'cost_micro_usd',
  'redacted',
] as const;

const COLUMNS: Readonly<Record<ExportRows, readonly string[]>> = {
  interactions: RECORD_COLUMNS,
  attempts: ATTEMPT_COLUMNS,
};

/** The text of an export, a page of records at a time. */
export async function* exportText(
  pages: AsyncIterable<readonly AuditRecord[]>,
  { format, rows }: ExportForm,
): AsyncGenerator<string> {
  const columns = COLUMNS[rows];
  if (format === 'csv') yield csvRow(columns);
  const documents = DOCUMENTS[format][rows];
  const lineOf: (document: JsonObject) => string =
    format === 'csv'
      ? (document) => csvRow(columns.map((column) => cellAt(document, column)))
      : (document) => `${JSON.stringify(document)}\n`;
  for await (const records of pages) {
    const text = records.flatMap(documents).map(lineOf).join('');
    if (text !== '') yield text;
  }
}

function attemptsOf(record: AuditRecord): readonly JsonObject[] {
  const { requestId: request_id, tenant } = record;
  return record.ledger.map((row) => ({ request_id, tenant, ...presentLedgerRow(row) }));
}

function cellAt(document: JsonObject, path: string): CsvCell {
  const value = path
    .split('.')
    .reduce<JsonValue | undefined>(
      (parent, name) => (isJsonObject(parent) ? parent[name] : undefined),
      document,
    );
  if (value === undefined || value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : value;
}
