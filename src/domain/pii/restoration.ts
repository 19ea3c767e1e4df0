import { isJsonList, isJsonObject } from '../kernel/json';
import type { JsonObject, JsonValue } from '../kernel/json';
import { editedElements, editedMembers } from './edited-json';
import { PLACEHOLDER } from './pii-scan';

/** What each placeholder of a request stands for. */
export type Restorable = ReadonlyMap<string, string>;

/** How the text around a placeholder is read: as it stands, or as JSON in a string. */
export type Notation = 'plain' | 'json';

/** A text with every placeholder replaced by what it stands for. */
export function restored(text: string, restorable: Restorable, notation: Notation): string {
  if (!text.includes('[')) return text;
  return text.replaceAll(PLACEHOLDER, (placeholder) => {
    const value = restorable.get(placeholder);
    if (value === undefined) return placeholder;
    return notation === 'json' ? JSON.stringify(value).slice(1, -1) : value;
  });
}

/** The arguments of a tool call are JSON in a string; content is where the caller asked for JSON. */
export const ARGUMENTS = 'arguments';

/** A whole answer with its texts restored; the same object if no placeholder stands in it. */
export function restoredAnswer(body: JsonObject, restorable: Restorable, content: Notation): JsonObject {
  return restoredObject(body, restorable, content);
}

function restoredValue(value: JsonValue, restorable: Restorable, notation: Notation): JsonValue {
  if (typeof value === 'string') return restored(value, restorable, notation);
  if (isJsonList(value)) {
    return editedElements(value, (one) => restoredValue(one, restorable, notation));
  }
  return isJsonObject(value) ? restoredObject(value, restorable, notation) : value;
}

function restoredObject(object: JsonObject, restorable: Restorable, content: Notation): JsonObject {
  return editedMembers(object, (name, value) => {
    if (value === undefined) return [name, value];
    return [name, restoredValue(value, restorable, name === ARGUMENTS ? 'json' : content)];
  });
}

/** Whether the answer's text is a JSON document, because the caller asked for one. */
export function contentNotation({ response_format: format }: JsonObject): Notation {
  return isJsonObject(format) && (format.type === 'json_object' || format.type === 'json_schema')
    ? 'json'
    : 'plain';
}
