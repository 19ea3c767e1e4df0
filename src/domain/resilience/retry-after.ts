import { isJsonObject } from '../kernel/json';
import type { JsonObject, JsonValue } from '../kernel/json';
import { locate } from './error-object';
import { googleDetails } from './evidence-codes';
import { parseHttpDate } from './http-date';
import type { RetryHints } from './signal';

/** The longest delay that a Node timer takes; a longer one would fire at once. No deadline is as long. */
export const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * How long a provider asked to wait, whole milliseconds from now, 1 to `MAX_DELAY_MS`; null: it named no usable wait, so
 * our own backoff holds. The sources go in the order of FAILURES §3.2; whatever is not exactly in its grammar is ignored,
 * a wait of zero too: it would be a tight loop against a provider that just asked for mercy.
 */
export function parseRetryAfter(hints: RetryHints, body: JsonValue | null, nowMs: number): number | null {
  return (
    decimalMs(hints.retryAfterMs, 1) ??
    retryAfterHeader(hints.retryAfter, nowMs) ??
    retryInfo(body) ??
    openRouterReset(body, nowMs) ??
    estimatedTime(body)
  );
}

/** RFC 9110 §10.2.3: `1*DIGIT` seconds or an HTTP date, nothing else. */
function retryAfterHeader(value: string | null, nowMs: number): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value)) return wait(Number(value) * 1_000);
  const atMs = parseHttpDate(value, nowMs);
  return atMs === null ? null : wait(atMs - nowMs);
}

/** Gemini: a protobuf duration such as `34.4s`. */
function retryInfo(body: JsonValue | null): number | null {
  const delay = googleDetails(errorIn(body).details).find(
    (detail) => detail.retryDelay !== undefined,
  )?.retryDelay;
  return typeof delay === 'string' && delay.endsWith('s') ? decimalMs(delay.slice(0, -1), 1_000) : null;
}

/** OpenRouter: the instant at which the limit resets, milliseconds since the epoch. */
function openRouterReset(body: JsonValue | null, nowMs: number): number | null {
  const { metadata } = errorIn(body);
  const headers = isJsonObject(metadata) ? metadata.headers : undefined;
  const reset = isJsonObject(headers) ? headers['X-RateLimit-Reset'] : undefined;
  if (typeof reset !== 'string' && typeof reset !== 'number') return null;
  return /^\d+$/.test(String(reset)) ? wait(Number(reset) - nowMs) : null;
}

/** Hugging Face: seconds until the model is loaded. */
function estimatedTime(body: JsonValue | null): number | null {
  const seconds = isJsonObject(body) ? body.estimated_time : undefined;
  return typeof seconds === 'number' ? wait(seconds * 1_000) : null;
}

function errorIn(body: JsonValue | null): JsonObject {
  const found = locate(body);
  return isJsonObject(found) ? found : {};
}

function decimalMs(text: string | null, msPerUnit: number): number | null {
  return text !== null && /^\d+(\.\d+)?$/.test(text) ? wait(Number(text) * msPerUnit) : null;
}

/** Rounded up: waking early only earns the same answer again. */
function wait(delayMs: number): number | null {
  return delayMs > 0 ? Math.min(Math.ceil(delayMs), MAX_DELAY_MS) : null;
}
