import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import type { GatewayError } from '../../../domain/error/gateway-error';
import { err, ok, type Result } from '../../../domain/kernel/result';
import { bodyFault, malformedJson } from '../error/body-fault';
import { exceededBound } from '../middleware/bounded-body';

export type ChatBodyLimits = Readonly<{ maxBytes: number }>;

/** Deeper than any tool schema, and shallow enough to recurse over. */
const MAX_DEPTH = 100;
/** WIRE §3: what a conversation may have at most. */
const MAX_ARRAY_LENGTH = 100_000;

/** Reads and parses a JSON body within bounds. `client_gone`: he left before it was complete, so nobody is to be answered. */
export async function readChatBody(
  req: IncomingMessage,
  limits: ChatBodyLimits,
): Promise<Result<unknown, GatewayError | 'client_gone'>> {
  const media = mediaFault(req);
  if (media !== null) return err(media);
  try {
    return parse(
      await getRawBody(req, {
        limit: limits.maxBytes,
        length: req.headers['content-length'],
        encoding: 'utf8',
      }),
    );
  } catch (error) {
    if (req.destroyed && !req.complete) return err('client_gone');
    const fault = bodyFault(error);
    if (fault === null) throw error;
    return err(fault);
  }
}

function mediaFault(req: IncomingMessage): GatewayError | null {
  const type = req.headers['content-type'];
  if (type !== undefined && !/^application\/json\s*(?:;|$)/i.test(type)) {
    return { code: 'unsupported_media_type', message: 'The body must be application/json.' };
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

function parse(text: string): Result<unknown, GatewayError> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return err(malformedJson(text));
  }
  const bound = exceededBound(body, { maxDepth: MAX_DEPTH, maxArrayLength: MAX_ARRAY_LENGTH });
  if (bound === null) return ok(body);
  return err({ code: 'invalid_request_error', reason: 'invalid_value', param: null, message: bound });
}
