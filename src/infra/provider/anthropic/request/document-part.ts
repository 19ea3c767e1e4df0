import { isJsonObject, type JsonObject } from '../../../../domain/kernel/json';
import { ok } from '../../../../domain/kernel/result';
import { isBlank } from './blank-text';
import type { Block } from './block';
import { readDataUrl, type DataUrl } from './data-url';
import { fileKindOf } from './magic-bytes';
import { gate, given, reject, type Scope, type Translated } from './translation';

/** A `file` part: PDF or plain text, by its bytes. An id names a file in another provider's store. */
export function documentBlock(part: JsonObject, param: string, scope: Scope): Translated<Block> {
  const file = given(part, 'file');
  if (!isJsonObject(file)) return reject(`${param}.file`, 'must be an object');
  const data = given(file, 'file_data');
  if (data === undefined && given(file, 'file_id') !== undefined) {
    return gate(`${param}.file.file_id`, "files of another provider's store can't be read by this model");
  }
  const at = `${param}.file.file_data`;
  if (typeof data !== 'string') return reject(at, 'must be a string');
  if (!scope.contract.files) return gate(at, 'this model reads no files');
  const url = readDataUrl(data, at);
  if (!url.ok) return url;
  const source = sourceOf(url.value, at);
  if (!source.ok) return source;
  const title = given(file, 'filename');
  return ok({ type: 'document', source: source.value, ...(isTitle(title) ? { title } : {}) });
}

function isTitle(value: unknown): value is string {
  return typeof value === 'string' && !isBlank(value);
}

function sourceOf({ mediaType, base64 }: DataUrl, at: string): Translated<JsonObject> {
  const kind = fileKindOf(base64);
  if (kind === 'application/pdf') return ok({ type: 'base64', media_type: 'application/pdf', data: base64 });
  const text = mediaType === 'text/plain' && kind === null ? utf8(base64) : null;
  if (text === null || isBlank(text))
    return gate(at, 'is neither a PDF nor UTF-8 text, which are all that this model reads');
  return ok({ type: 'text', media_type: 'text/plain', data: text });
}

/** The text, byte for byte (a byte order mark included); null if the bytes aren't UTF-8. */
function utf8(base64: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(base64, 'base64'));
  } catch {
    return null;
  }
}
