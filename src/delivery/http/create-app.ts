import type { RequestListener } from 'node:http';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import helmet from 'helmet';
import type { IdGenerator } from '../../usecase/port/id-generator';
import type { AdminRouterDeps } from './admin/admin-router';
import type { ChatEndpoint } from './chat/chat-endpoint';
import { tellToProceed } from './chat/tell-to-proceed';
import { modelsRouter, type ModelsRouterDeps } from './chat/models-router';
import { errorHandler, type FaultLog } from './error/error-handler';
import { sendError } from './error/send-error';
import { loadedOnUse } from './loaded-on-use';
import { requestId } from './middleware/request-id';
import { operationsRouter, type OperationsRouterDeps } from './operations/operations-router';
import { statusRouter, type StatusRouterDeps } from './operations/status-router';
import { sandboxRouter, type SandboxRouterDeps } from './sandbox/sandbox-router';

export type AppDeps = Readonly<{
  ids: IdGenerator;
  log: FaultLog;
  admin: AdminRouterDeps;
  models: ModelsRouterDeps;
  operations: OperationsRouterDeps;
  status: StatusRouterDeps;
  /** Null outside the sandbox. */
  sandbox: SandboxRouterDeps | null;
}>;

const CHAT_COMPLETIONS = '/v1/chat/completions';
/** With a query, with the slash at the end that the app's routes allow too, or as the absolute URL that proxies send. */
const CHAT_URL = /^(?:https?:\/\/[^/?#]+)?\/v1\/chat\/completions\/?(?:\?|$)/;

/** Everything but chat completions. */
export function createApp(deps: AppDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.use(requestId(deps.ids), helmet(), notStored);
  app.use(operationsRouter(deps.operations), statusRouter(deps.status));
  app.use('/v1/models', modelsRouter(deps.models));
  app.use(
    '/admin/v1',
    loadedOnUse(() => loadAdminApi(deps.admin)),
  );
  app.get(
    '/openapi.json',
    loadedOnUse(() => loadOpenApi(deps.admin)),
  );
  if (deps.sandbox !== null) app.use('/sandbox', sandboxRouter(deps.sandbox));
  app.all(CHAT_COMPLETIONS, (req, res) => {
    res.set('allow', 'POST');
    sendError(res, {
      code: 'not_found',
      message: `There is no ${req.method} ${CHAT_COMPLETIONS}; use POST.`,
    });
  });
  app.use((req, res) => {
    sendError(res, { code: 'not_found', message: `There is no ${req.method} ${req.path}.` });
  });
  app.use(errorHandler(deps.log));
  return app;
}

async function loadAdminApi(deps: AdminRouterDeps): Promise<RequestHandler> {
  const { adminRouter } = await import('./admin/admin-router.js');
  return adminRouter(deps);
}

async function loadOpenApi({ useCases }: AdminRouterDeps): Promise<RequestHandler> {
  const { adminRoutes } = await import('./admin/admin-routes.js');
  const { openApiRouter } = await import('./openapi/openapi-router.js');
  return openApiRouter(adminRoutes(useCases));
}

/** What we say holds now and for this caller (HEADERS §4); a route may say otherwise. */
function notStored(_req: Request, res: Response, next: NextFunction): void {
  res.set('cache-control', 'no-store');
  next();
}

/**
 * The whole gateway: chat completions go straight to their endpoint, everything else through the app. It serves `request`
 * and `checkContinue` alike.
 */
export function createListener(chat: ChatEndpoint, app: Express): RequestListener {
  return (req, res) => {
    if (req.method === 'POST' && CHAT_URL.test(req.url ?? '')) {
      void chat.handle(req, res);
      return;
    }
    tellToProceed(res);
    app(req, res);
  };
}
