import { isTruncated, type ArchivedText } from '../../../../domain/archive/archived-interaction';
import type { ArchiveTerm } from '../../../../domain/archive/archive-term';
import type { JsonObject } from '../../../../domain/kernel/json';
import type { ArchiveState, OpenedEntry } from '../../../../usecase/archive/read-archive';
import type { ArchiveEntryRef } from '../../../../usecase/port/archive-store';
import { rfc3339 } from '../instant';

export function presentArchive({ archiving, term }: ArchiveState): JsonObject {
  return { archiving, term: term === null ? null : presentTerm(term) };
}

function presentTerm({ untilMs, retentionHours, include }: ArchiveTerm): JsonObject {
  return { until: rfc3339(untilMs), retention_hours: retentionHours, include: [...include] };
}

export function presentEntryRef({ requestId, archivedAtMs, expiresAtMs }: ArchiveEntryRef): JsonObject {
  return {
    request_id: requestId,
    archived_at: rfc3339(archivedAtMs),
    expires_at: rfc3339(expiresAtMs),
  };
}

export function presentEntry(entry: OpenedEntry): JsonObject {
  const { request, answer } = entry.content;
  return {
    ...presentEntryRef(entry),
    request: request === null ? null : presentText(request),
    answer: answer === null ? null : { status: answer.status, ...presentText(answer) },
  };
}

function presentText(archived: ArchivedText): JsonObject {
  return {
    text: archived.text,
    characters: archived.characters,
    truncated: isTruncated(archived),
  };
}
