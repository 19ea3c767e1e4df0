import { Router } from 'express';
import type { SandboxControl } from '../../../usecase/port/sandbox-control';
import { sendError } from '../error/send-error';
import { authenticate } from '../middleware/authenticate';
import type { AuthenticationDeps } from '../middleware/identify-caller';
import { jsonBody } from '../middleware/json-body';
import { requireScope } from '../middleware/require-scope';

const BODY_LIMIT_BYTES = 10_240;

export type SandboxRouterDeps = AuthenticationDeps & Readonly<{ sandbox: SandboxControl }>;

/** `/sandbox`: breaks and mends the simulated providers. It is mounted in the sandbox only. */
export function sandboxRouter(deps: SandboxRouterDeps): Router {
  const { sandbox } = deps;
  const router = Router({ caseSensitive: true });
  router.use(authenticate(deps), requireScope('operator'));
  router.get('/providers', (_req, res) => {
    res.json({ sandbox: true, data: sandbox.providers(), faults: sandbox.faults() });
  });
  router.put('/providers/:name/fault', jsonBody(BODY_LIMIT_BYTES), (req, res) => {
    const { fault } = (req.body ?? {}) as { fault?: unknown };
    const name = String(req.params['name']);
    const outcome = typeof fault === 'string' ? sandbox.switchFault(name, fault) : 'unknown_fault';
    if (outcome === 'switched') {
      res.json({ sandbox: true, provider: name, fault });
      return;
    }
    if (outcome === 'unknown_provider') {
      return sendError(res, { code: 'not_found', message: `There is no simulated provider '${name}'.` });
    }
    const known = sandbox.faults().map((preset) => preset.name);
    sendError(res, {
      code: 'invalid_request_error',
      reason: 'invalid_value',
      param: 'fault',
      message: `'fault' must be one of ${known.join(', ')}.`,
    });
  });
  return router;
}
