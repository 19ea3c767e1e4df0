import type { RequestHandler, Response } from 'express';
import type { ApiKey } from '../../../domain/tenant/api-key';
import { sendError } from '../error/send-error';
import { identifyCaller, type AuthenticationDeps } from './identify-caller';

/** Lets callers with a usable key pass; `callerOf` tells later handlers whose it is. */
export function authenticate(deps: AuthenticationDeps): RequestHandler {
  return (req, res, next) => {
    const caller = identifyCaller(req.headers, deps);
    if (!caller.ok) return sendError(res, caller.error);
    res.locals['caller'] = caller.value;
    next();
  };
}

/** The key that `authenticate` accepted. Asking before it ran is a defect. */
export function callerOf(res: Response): ApiKey {
  const key = res.locals['caller'] as ApiKey | undefined;
  if (key === undefined) throw new Error('callerOf was called on a request that nobody authenticated');
  return key;
}
