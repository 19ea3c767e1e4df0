import type { RequestHandler } from 'express';
import type { ApiKey, Scope } from '../../../domain/tenant/api-key';
import { hasScope } from '../../../domain/tenant/api-key';
import { sendError } from '../error/send-error';
import { callerOf } from './authenticate';

/** Lets a key pass that has the scope, itself or by implication. */
export function requireScope(scope: Scope): RequestHandler {
  return (_req, res, next) => {
    if (isEntitled(callerOf(res), scope)) return next();
    sendError(res, { code: 'forbidden', message: `This key lacks the scope '${scope}'.` });
  };
}

/** A key of a tenant never operates the gateway, whatever its scopes say. */
function isEntitled(key: ApiKey, scope: Scope): boolean {
  return hasScope(key, scope) && (scope !== 'operator' || key.tenantId === null);
}
