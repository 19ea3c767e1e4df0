import type { JsonValue } from '../../../domain/kernel/json';
import { isJsonObject } from '../../../domain/kernel/json';

/** True for a body or frame that reports a failure, whatever its status said (WIRE §11 rule 3). */
export function isErrorObject(value: JsonValue): boolean {
  // Gemini's compatible endpoint wraps its errors in a list.
  const first = Array.isArray(value) ? (value as readonly JsonValue[])[0] : value;
  if (!isJsonObject(first)) return false;
  return Boolean(first.error) || first.object === 'error' || first.type === 'error';
}
