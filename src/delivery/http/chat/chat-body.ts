import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import type { GatewayError } from '../../../domain/error/gateway-error';
import { err, ok, type Result } from '../../../domain/kernel/result';
import { bodyFault, malformedJson } from '../error/body-fault';
import { exceededBound } from '../middleware/bounded-body';

export type ChatBodyLimits = Readonly<{
  maxBytes: number;
  /** Called when nothing in the head speaks against the body, for a caller who waits to be told (`expect: 100-continue`). */
  proceed?: () => void;
}>;

/** Deeper than any tool schema, and shallow enough to recurse over. */
const MAX_DEPTH = 100;
/** WIRE §3: what a conversation may have at most. */
const MAX_ARRAY_LENGTH = 100_000;

/** Some editors and libraries begin a file with it; RFC 8259 lets a reader ignore it. */
const BYTE_ORDER_MARK = /^\uFEFF/;

/** Reads and parses a JSON body within bounds. `client_gone`: he left before it was complete, so nobody is to be answered. */
export async function readChatBody(
  req: IncomingMessage,
  limits: ChatBodyLimits,
): Promise<Result<unknown, GatewayError | 'client_gone'>> {
  const fault = mediaFault(req) ?? lengthFault(req, limits);
  if (fault !== null) return err(fault);
  limits.proceed?.();
  try {
    const length = req.headers['content-length'];
    return parse(await getRawBody(req, { limit: limits.maxBytes, length }));
  } catch (error) {
    if (req.destroyed && !req.complete) return err('client_gone');
    const unreadable = bodyFault(error);
    if (unreadable === null) throw error;
    return err(unreadable);
  }
}

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;
/** JSON is UTF-8 (RFC 8259 §8.1), of which ASCII is a part. */
const CHARSETS: readonly string[] = ['utf-8', 'utf8', 'us-ascii'];

function mediaFault(req: IncomingMessage): GatewayError | null {
  const type = req.headers['content-type'];
  if (type !== undefined && !JSON_TYPE.test(type)) {
    return { code: 'unsupported_media_type', message: 'The body must be application/json.' };
  }
  const charset = CHARSET.exec(type ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  if (!CHARSETS.includes(charset)) {
    return { code: 'unsupported_media_type', message: 'The charset of the body must be UTF-8.' };
  }
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return {
      code: 'unsupported_media_type',
      message: 'The body must not be compressed (content-encoding: identity).',
    };
  }
  return null;
}

function lengthFault(req: IncomingMessage, { maxBytes }: ChatBodyLimits): GatewayError | null {
  const announced = Number(req.headers['content-length'] ?? 0);
  return announced > maxBytes ? { code: 'payload_too_large', limitBytes: maxBytes } : null;
}

function parse(bytes: Buffer): Result<unknown, GatewayError> {
  // Decoding them anyway would put U+FFFD in their place, and the provider would get another text than was sent.
  if (!isUtf8(bytes)) return invalid('The body is not valid UTF-8.');
  const text = bytes.toString('utf8').replace(BYTE_ORDER_MARK, '');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return err(malformedJson(text));
  }
  const bound = exceededBound(body, { maxDepth: MAX_DEPTH, maxArrayLength: MAX_ARRAY_LENGTH });
  return bound === null ? ok(body) : invalid(bound);
}

function invalid(message: string): Result<never, GatewayError> {
  return err({ code: 'invalid_request_error', reason: 'invalid_value', param: null, message });
}
