import type { IncomingHttpHeaders } from 'node:http';
import type { AdapterKind } from '../../../domain/catalog/channel';
import type { RetryHints } from '../../../domain/resilience/signal';
import type { ReplyHead } from '../../../usecase/port/chat-provider';
import { quotaWaitMs } from './quota-wait';
import type { SecretRedactor } from './redact-secrets';
import type { UpstreamHead } from './upstream-exchange';

const OTHER_REQUEST_ID_HEADERS = [
  'apim-request-id',
  'x-ms-request-id',
  'mistral-correlation-id',
  'x-ds-trace-id',
  'x-generation-id',
  'cf-ray',
];

/** Where a provider names the request, best first (HEADERS §3). */
const REQUEST_ID_HEADERS: Readonly<Record<AdapterKind, readonly string[]>> = {
  openai: ['x-request-id', 'request-id', ...OTHER_REQUEST_ID_HEADERS],
  anthropic: ['request-id', 'x-request-id', ...OTHER_REQUEST_ID_HEADERS],
};

/** The id is stored and shown to auditors, so it must be short and printable. */
const PRINTABLE_ID = /^[\x21-\x7e]{1,200}$/;

/** An id that repeats our credential would reach logs, records and callers, so it is redacted like any other text of theirs. */
export function replyHead(
  { status, headers }: UpstreamHead,
  kind: AdapterKind,
  redactor: SecretRedactor,
): ReplyHead {
  const id = upstreamRequestId(headers, kind);
  return {
    status,
    upstreamRequestId: id === null ? null : redactor.text(id),
    quotaWaitMs: quotaWaitMs(headers, Date.now()),
  };
}

export function retryHints(headers: IncomingHttpHeaders): RetryHints {
  return {
    retryAfter: headerText(headers, 'retry-after'),
    retryAfterMs: headerText(headers, 'retry-after-ms'),
    shouldRetry: headerText(headers, 'x-should-retry'),
  };
}

function upstreamRequestId(headers: IncomingHttpHeaders, kind: AdapterKind): string | null {
  for (const name of REQUEST_ID_HEADERS[kind]) {
    const value = headerText(headers, name);
    if (value !== null && PRINTABLE_ID.test(value)) return value;
  }
  return null;
}

/** A header that came several times reads as one list (RFC 9110 §5.2). */
export function headerText(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  if (value === undefined) return null;
  return typeof value === 'string' ? value : value.join(', ');
}
