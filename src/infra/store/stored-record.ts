import type { StoredRecord } from '../../domain/audit/canonical-form';
import type { ChainEntry } from '../../domain/audit/hash-chain';
import type { AttemptRow } from './attempt-row';
import type { ChangeRow } from './change-row';
import type { InteractionRow } from './interaction-row';

export function interactionEntryOf(row: InteractionRow, attempts: readonly AttemptRow[]): ChainEntry {
  const record: StoredRecord = { kind: 'interaction', row, attempts };
  const { request_id: id, tenant } = row;
  // A row that was tampered with may lack what every chained row has.
  return { kind: 'interaction', id, tenant, sequence: row.sequence ?? 0, hash: row.hash ?? '', record };
}

export function changeEntryOf(row: ChangeRow): ChainEntry {
  const record: StoredRecord = { kind: 'change', row, attempts: [] };
  return { kind: 'change', id: row.id, tenant: row.tenant, sequence: row.sequence, hash: row.hash, record };
}
