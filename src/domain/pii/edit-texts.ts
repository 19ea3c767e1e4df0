import { isJsonList, isJsonObject } from '../kernel/json';
import type { JsonObject, JsonValue } from '../kernel/json';
import { editedElements, editedMembers } from './edited-json';
import { editJsonText, isJsonDocument } from './json-text';

/** What is done with a request's content. */
export type TextEdit = Readonly<{
  /** The text that takes the place of this one: the same one, where nothing has to change. */
  text: (text: string) => string;
  /** A part that holds no text: it stays. */
  binary: () => void;
}>;

/** Shorter numbers hold nothing that is looked for. */
const SHORTEST_NUMBER = 1e8;
/** JSON in a text in JSON in a text: deeper ones are read as plain text. */
const MAX_NESTED_DOCUMENTS = 3;

/**
 * A JSON value with every text of it edited: strings, names of members, long numbers (which become text if they change), and
 * the same within texts that are JSON themselves, such as the arguments of a tool call. What doesn't change is the same object.
 */
export function editTexts(value: JsonValue, edit: TextEdit): JsonValue {
  return edited(value, edit, MAX_NESTED_DOCUMENTS);
}

function edited(value: JsonValue, edit: TextEdit, depth: number): JsonValue {
  if (typeof value === 'string') return editedText(value, edit, depth);
  if (typeof value === 'number') return editedNumber(value, edit);
  if (isJsonList(value)) return editedElements(value, (one) => edited(one, edit, depth));
  return isJsonObject(value) ? editedObject(value, edit, depth) : value;
}

function editedText(text: string, edit: TextEdit, depth: number): string {
  if (depth === 0 || !isJsonDocument(text)) return edit.text(text);
  return editJsonText(text, (token) => edited(token, edit, depth - 1));
}

function editedNumber(value: number, edit: TextEdit): JsonValue {
  if (Math.abs(value) < SHORTEST_NUMBER) return value;
  const text = String(value);
  const after = edit.text(text);
  return after === text ? value : after;
}

function editedObject(object: JsonObject, edit: TextEdit, depth: number): JsonObject {
  return editedMembers(object, (name, value) => {
    if (isBinary(name, value)) {
      edit.binary();
      return [name, value];
    }
    return [edit.text(name), value === undefined ? value : edited(value, edit, depth)];
  });
}

/** Members that hold images, audio and files in base64 (`image_url.url`, `input_audio.data`, `file.file_data`). */
const BINARY_MEMBERS: ReadonlySet<string> = new Set(['url', 'image_url', 'data', 'file_data']);
const BASE64 = /^(?:data:[^,]{0,200};base64,)?[A-Za-z0-9+/_=\r\n-]*$/;
/** Base64 of that length has both. A list of numbers has neither, and is written with its signs alone. */
const SMALL_LETTER = /[a-z]/;
const CAPITAL = /[A-Z]/;
/** Short ones can be words or numbers, and cost nothing to read. */
const SHORTEST_BASE64 = 256;

function isBinary(name: string, value: JsonValue | undefined): boolean {
  return (
    typeof value === 'string' &&
    value.length >= SHORTEST_BASE64 &&
    BINARY_MEMBERS.has(name) &&
    BASE64.test(value) &&
    SMALL_LETTER.test(value) &&
    CAPITAL.test(value)
  );
}
