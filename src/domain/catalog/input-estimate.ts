import { isJsonList, isJsonObject } from '../kernel/json';
import type { JsonValue } from '../kernel/json';

/** The usual size of a token of English text, in bytes of UTF-8. */
const BYTES_PER_TOKEN = 4;

/**
 * Content parts whose text is no text to the model: pictures, sound and files, mostly base64 or addresses. They hold it in
 * the member that their `type` names; a parameter of a tool may have such a name, too.
 */
const OPAQUE = new Set(['image_url', 'input_audio', 'file']);

/** A rough count of the tokens in a piece of a request: its text and its names by size, whatever its shape. */
export function estimateTokens(input: readonly (JsonValue | undefined)[]): number {
  let bytes = 0;
  // A stack in place of recursion: a caller decides how deep this goes.
  const open: (JsonValue | undefined)[] = [...input];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') bytes += utf8Length(value);
    else if (isJsonList(value)) for (const item of value) open.push(item);
    else if (isJsonObject(value)) bytes += enter(value, open);
  }
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

function enter(
  object: Readonly<Record<string, JsonValue | undefined>>,
  open: (JsonValue | undefined)[],
): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(object)) {
    if (name === object.type && OPAQUE.has(name)) continue;
    bytes += utf8Length(name);
    open.push(value);
  }
  return bytes;
}

const BEYOND_ASCII = /[\u0080-\uffff]/;

/** Most texts are ASCII, and a pattern finds that out in a third of the time. */
function utf8Length(text: string): number {
  let bytes = text.length;
  if (!BEYOND_ASCII.test(text)) return bytes;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7ff) bytes += isSurrogate(unit) ? 1 : 2;
    else if (unit > 0x7f) bytes += 1;
  }
  return bytes;
}

/** Each half of a surrogate pair is two of the four bytes. */
function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
