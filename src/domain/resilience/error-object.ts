import { isJsonObject } from '../kernel/json';
import type { JsonObject, JsonValue } from '../kernel/json';
import { evidenceCodes } from './evidence-codes';

/** The error that a provider put into a body or a frame, wherever it was (FAILURES §2.4). */
export type ErrorObject = Readonly<{
  /** Everything that names the fault, the most specific first; what the tables are asked for. */
  codes: readonly string[];
  message: string | null;
  type: string | null;
  /** The provider's `code`, numbers as text. */
  code: string | null;
  param: string | null;
  /** A status 400–599 that the body names, as a number or as a string of digits; null: none. */
  status: number | null;
  /** `messages`: wrapped as Anthropic does (`"type": "error"`), where an unknown type still is the provider's failure. */
  shape: 'messages' | 'chat';
}>;

/** Finds the error in a body in the order of FAILURES §2.4; null: it holds none, and only the status speaks. */
export function findErrorObject(body: JsonValue | null): ErrorObject | null {
  const found = locate(body);
  if (typeof found !== 'string') return found === null ? null : errorObjectOf(found, body);
  const inner = parsedOnce(found);
  const nested = inner === null ? null : locate(inner);
  if (nested !== null && typeof nested !== 'string') return errorObjectOf(nested, inner);
  return errorObjectOf({ ...membersOf(body), message: nested ?? found }, body);
}

/** The object that holds the error's members, or the text that stands in its place. */
export function locate(body: JsonValue | null): JsonObject | string | null {
  if (Array.isArray(body)) return locateInArray(body as readonly JsonValue[]);
  if (!isJsonObject(body)) return null;
  if (isJsonObject(body.error)) return body.error;
  if (isErrorItself(body)) return body;
  if (typeof body.error === 'string') return body.error;
  if (typeof body.detail === 'string' || isJsonObject(body.detail)) return body.detail;
  return typeof body.message === 'string' ? body.message : null;
}

/** Gemini wraps the body into an array. */
function locateInArray(body: readonly JsonValue[]): JsonObject | null {
  const first = body[0];
  return isJsonObject(first) && isJsonObject(first.error) ? first.error : null;
}

function isErrorItself(body: JsonObject): boolean {
  if (body.object === 'error' || body.type === 'error') return true;
  const named = body.code ?? body.type ?? body.error_type ?? null;
  return typeof body.message === 'string' && named !== null;
}

/** Members beside a textual error (xAI: `{"code": "invalid-argument", "error": "Incorrect API key…"}`). */
function membersOf(body: JsonValue | null): JsonObject {
  return isJsonObject(body) ? { code: body.code, type: body.type, param: body.param } : {};
}

/** Resellers put the JSON of their own provider into a string. */
function parsedOnce(text: string): JsonValue | null {
  if (!text.trimStart().startsWith('{')) return null;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}

function errorObjectOf(error: JsonObject, body: JsonValue | null): ErrorObject {
  const type = textOf(error.type) ?? textOf(error.error_type);
  const code = textOf(error.code);
  return {
    codes: [...evidenceCodes(error), code, type, textOf(error.status)].filter((name) => name !== null),
    message: textOf(error.message),
    type,
    code: code ?? (typeof error.code === 'number' ? String(error.code) : null),
    param: textOf(error.param),
    status: statusOf(error.status_code) ?? statusOf(error.status) ?? statusOf(error.code),
    shape: isJsonObject(body) && body.type === 'error' ? 'messages' : 'chat',
  };
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function statusOf(value: JsonValue | undefined): number | null {
  const digits = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return /^[45]\d\d$/.test(digits) ? Number(digits) : null;
}
