import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { json } from 'express';
import { sendError } from '../error/send-error';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Reads a JSON body of at most so many bytes. Another media type is named as the fault, not read as an absent body. */
export function jsonBody(limitBytes: number): RequestHandler {
  const blank = new WeakSet<IncomingMessage>();
  const parse = json({
    limit: limitBytes,
    verify: (req, _res, bytes) => {
      if (bytes.length === 0 || bytes.equals(BYTE_ORDER_MARK)) blank.add(req);
    },
  });
  return (req, res, next) => {
    // A POST without a body announces a length of 0, which `is` takes for a body without a type.
    if (req.get('content-length') === '0') return next();
    const fault = mediaFault(req);
    if (fault !== null) return sendError(res, { code: 'unsupported_media_type', message: fault });
    parse(req, res, (error?: unknown) => {
      // The parser reads nothing as `{}`, which is a document: it would lift every rule that it doesn't repeat.
      if (error === undefined && blank.has(req)) req.body = undefined;
      next(error);
    });
  };
}

function mediaFault(req: Request): string | null {
  // `is` answers null without a body, false for another type.
  if (req.is('application/json') === false) return 'The body must be application/json.';
  const charset = /;\s*charset="?([^\s;"]*)/i.exec(req.get('content-type') ?? '')?.[1] ?? 'utf-8';
  // RFC 8259 §8.1. Bytes in the wrong charset can read as nothing at all.
  return charset.toLowerCase() === 'utf-8' ? null : 'The charset of the body must be UTF-8.';
}
