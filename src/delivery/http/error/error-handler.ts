import type { ErrorRequestHandler } from 'express';
import { StoreUnavailable } from '../../../usecase/port/store-unavailable';
import { requestIdOf } from '../middleware/request-id';
import { bodyFault } from './body-fault';
import { sendError } from './send-error';

/** Where defects and broken dependencies are reported. An entry never holds a body, a header or a query. */
export interface FaultLog {
  error(entry: FaultEntry): void;
}

export type FaultEntry = Readonly<{
  message: string;
  requestId: string;
  method: string;
  path: string;
  error: unknown;
}>;

/** The one boundary at which exceptions end (STYLE §5): mounted last. What they say goes to the log, never to the caller. */
export function errorHandler(log: FaultLog): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return (error: unknown, req, res, _next) => {
    const fault = bodyFault(error);
    if (fault === null) {
      const message = error instanceof StoreUnavailable ? 'store unavailable' : 'request failed';
      log.error({ message, requestId: requestIdOf(res), method: req.method, path: req.path, error });
    }
    // A response that has begun can't be turned into an error: a broken connection is the only honest end of it.
    if (res.headersSent) res.destroy();
    else
      sendError(
        res,
        fault ??
          (error instanceof StoreUnavailable ? { code: 'audit_unavailable' } : { code: 'gateway_error' }),
      );
  };
}
