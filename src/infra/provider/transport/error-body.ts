import type { JsonValue } from '../../../domain/kernel/json';
import { isJsonObject } from '../../../domain/kernel/json';
import type { ProviderErrorSignal, Signal } from '../../../domain/resilience/signal';
import type { SecretRedactor } from './redact-secrets';
import { retryHints } from './reply-head';
import type { SseEvent } from './sse-events';
import { SseEventReader } from './sse-events';
import type { UpstreamExchange, UpstreamHead } from './upstream-exchange';
import { readWholeBody } from './whole-body';

/** FAILURES §3.4. Error bodies are short; the rest of a long one is not worth its socket. */
const MAX_ERROR_BYTES = 64 * 1024;

/** Why the status of an answer makes it none; null: what follows is to be read. A redirect is not followed: it would get our credential (FAILURES). */
export async function signalOfStatus(
  exchange: UpstreamExchange,
  redactor: SecretRedactor,
): Promise<Signal | null> {
  const { head } = exchange;
  if (head.status >= 400) return readErrorSignal(exchange, head, redactor);
  if (head.status < 300) return null;
  exchange.cut();
  return { kind: 'malformed', what: 'unexpected_status' };
}

/** Reads what a provider says beside an error status. The status stands even if its body can't be read. */
async function readErrorSignal(
  exchange: UpstreamExchange,
  head: UpstreamHead,
  redactor: SecretRedactor,
): Promise<ProviderErrorSignal> {
  const body = await readWholeBody(exchange, MAX_ERROR_BYTES, () => {});
  const text = body.kind === 'text' || body.kind === 'oversized' ? body.text : '';
  const parsed = parseJson(text) ?? errorInEvents(text);
  return {
    kind: 'provider_error',
    status: head.status,
    body: parsed === null ? null : redactor.json(parsed),
    hints: retryHints(head.headers),
  };
}

/** The value of a JSON text, whatever its content type said; null if it is none. */
export function parseJson(text: string): JsonValue | null {
  const first = text.charCodeAt(0);
  if (Number.isNaN(first) || first === 0x3c /* < */) return null;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}

/** A 4xx may come as an event stream: its first object is the error. */
function errorInEvents(text: string): JsonValue | null {
  const events: SseEvent[] = [];
  const reader = new SseEventReader(MAX_ERROR_BYTES);
  if (reader.feed(Buffer.from(text), events) === 'ok') reader.end(events);
  for (const event of events) {
    const value = parseJson(event.data);
    if (isJsonObject(value)) return value;
  }
  return null;
}
