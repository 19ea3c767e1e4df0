import type { GatewayError } from '../../../domain/error/gateway-error';
import { jsonFaultPosition } from './json-fault-position';

/** What body-parser and the router of Express put on their errors. */
type HttpFault = Readonly<{ status: number; type?: string; limit?: number; body?: unknown }>;

/** The types of body-parser's errors that say more than "unreadable". */
const FAULTS: Readonly<Record<string, (fault: HttpFault) => GatewayError>> = {
  'entity.parse.failed': ({ body }) => malformedJson(typeof body === 'string' ? body : ''),
  'entity.too.large': ({ limit }) => ({ code: 'payload_too_large', limitBytes: limit ?? 0 }),
  'encoding.unsupported': () => unsupported('The content-encoding of the body is not supported.'),
  'charset.unsupported': () => unsupported('The charset of the body is not supported; send UTF-8.'),
  'request.aborted': () => invalid(CUT_SHORT),
  'request.size.invalid': () => invalid(CUT_SHORT),
};

const CUT_SHORT = 'The request body does not have its announced length.';
const UNREADABLE = 'The request could not be read: its path or body is not encoded as announced.';

/** The error of a request that could not be read; null: this is no fault of the caller. */
export function bodyFault(error: unknown): GatewayError | null {
  if (!isHttpFault(error) || error.status < 400 || error.status > 499) return null;
  return FAULTS[error.type ?? '']?.(error) ?? invalid(UNREADABLE);
}

/** The 400 of a text that isn't JSON, naming the position at which it stops being that. */
export function malformedJson(text: string): GatewayError {
  const start = text.search(/\S/);
  // A lone string or number is JSON, but no body of ours.
  const position = /[[{]/.test(text.charAt(start)) ? jsonFaultPosition(text) : Math.max(0, start);
  const what = position >= text.length ? 'it ends too early, at' : 'unexpected character at';
  return invalid(`The body is not valid JSON: ${what} position ${position}.`);
}

function unsupported(message: string): GatewayError {
  return { code: 'unsupported_media_type', message };
}

function invalid(message: string): GatewayError {
  return { code: 'invalid_request_error', reason: 'invalid_value', param: null, message };
}

function isHttpFault(error: unknown): error is HttpFault {
  return error instanceof Error && 'status' in error && typeof error.status === 'number';
}
