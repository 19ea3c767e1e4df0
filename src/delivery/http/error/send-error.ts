import type { Response } from 'express';
import type { GatewayError } from '../../../domain/error/gateway-error';
import { requestIdOf } from '../middleware/request-id';
import { presentError } from './error-presenter';

/** Answers with an error that was met before any attempt. */
export function sendError(res: Response, error: GatewayError): void {
  const { status, headers, body } = presentError(error, { requestId: requestIdOf(res) });
  res
    .status(status)
    .set({ 'cache-control': 'no-store', ...headers })
    .json(body);
}
