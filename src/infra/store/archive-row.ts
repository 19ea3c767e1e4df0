import type { ArchiveEntry, ArchiveEntryRef } from '../../usecase/port/archive-store';

/** Without a reference to the audit record, which retention may delete earlier. */
export type ArchiveEntryRow = Readonly<{
  request_id: string;
  tenant: string;
  archived_at: number;
  expires_at: number;
  sealed: string;
}>;

export function archiveRowOf(entry: ArchiveEntry): ArchiveEntryRow {
  return {
    request_id: entry.requestId,
    tenant: entry.tenant,
    archived_at: entry.archivedAtMs,
    expires_at: entry.expiresAtMs,
    sealed: entry.sealed,
  };
}

export function archiveEntryOf(row: ArchiveEntryRow): ArchiveEntry {
  return { ...archiveRefOf(row), tenant: row.tenant, sealed: row.sealed };
}

export function archiveRefOf(
  row: Pick<ArchiveEntryRow, 'request_id' | 'archived_at' | 'expires_at'>,
): ArchiveEntryRef {
  return { requestId: row.request_id, archivedAtMs: row.archived_at, expiresAtMs: row.expires_at };
}
