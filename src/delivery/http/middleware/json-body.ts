import type { RequestHandler } from 'express';
import { json } from 'express';
import { sendError } from '../error/send-error';

/** Reads a JSON body of at most so many bytes. Another media type is named as the fault, not read as an absent body. */
export function jsonBody(limitBytes: number): RequestHandler {
  const parse = json({ limit: limitBytes });
  return (req, res, next) => {
    // A POST without a body announces a length of 0, which `is` takes for a body without a type.
    if (req.get('content-length') === '0') return next();
    // `is` answers null without a body, false for another type.
    if (req.is('application/json') !== false) return parse(req, res, next);
    sendError(res, { code: 'unsupported_media_type', message: 'The body must be application/json.' });
  };
}
