import type { AuditRecord } from '../../domain/audit/audit-record';
import { isJsonObject, type JsonObject } from '../../domain/kernel/json';
import type { Performance, SeenAnswer } from '../port/rehearsal-stage';

/** The error that the caller got, in a body or as an error event; null: none. */
export function errorOf({ answer }: Performance): JsonObject | null {
  const documents = answer === null ? [] : [answer.document, ...answer.events];
  const error = documents.find((document) => isJsonObject(document?.error))?.error;
  return isJsonObject(error) ? error : null;
}

/** The first document of an answer that names its model, with our extension on it where there is one. */
export function firstDocument(answer: SeenAnswer | null): JsonObject | null {
  return answer?.document ?? answer?.events[0] ?? null;
}

export function extensionOf({ answer }: Performance): JsonObject | null {
  const extension = firstDocument(answer)?.schneeai;
  return isJsonObject(extension) ? extension : null;
}

/** The one record of a request; null where there is none, or more than one. */
export function recordOf({ records }: Performance): AuditRecord | null {
  return records.length === 1 ? (records[0] ?? null) : null;
}
