import type { JsonObject } from '../../domain/kernel/json';
import { isJsonObject } from '../../domain/kernel/json';

/** The object that a text of JSON holds; null: it is none. */
export function parsedObject(text: unknown): JsonObject | null {
  if (typeof text !== 'string') return null;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
