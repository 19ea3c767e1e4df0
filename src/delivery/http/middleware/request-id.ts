import type { RequestHandler, Response } from 'express';
import type { IdGenerator } from '../../../usecase/port/id-generator';

/** Names every request, before anything can fail. The caller's own `x-request-id` is correlation only, never our id. */
export function requestId(ids: IdGenerator): RequestHandler {
  return (_req, res, next) => {
    const id = ids.next('req');
    res.locals['requestId'] = id;
    res.setHeader('x-request-id', id);
    next();
  };
}

/** The id of the request that this response answers. */
export function requestIdOf(res: Response): string {
  const id: unknown = res.locals['requestId'];
  return typeof id === 'string' ? id : '';
}
