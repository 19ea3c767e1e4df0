import type { Request, RequestHandler, Response } from 'express';
import { Router } from 'express';
import { isJsonObject } from '../../../domain/kernel/json';
import type { ChangeAuthor } from '../../../usecase/port/change-author';
import type { Configuration } from '../../../usecase/port/configuration';
import { sendError } from '../error/send-error';
import { authenticate, callerOf } from '../middleware/authenticate';
import type { BodyBounds } from '../middleware/bounded-body';
import { boundedBody } from '../middleware/bounded-body';
import { jsonBody } from '../middleware/json-body';
import type { AuthenticationDeps } from '../middleware/identify-caller';
import { ownTenant } from '../middleware/own-tenant';
import { requireScope } from '../middleware/require-scope';
import { invalidRequest } from '../middleware/validated-body';
import type { AdminRequest, AdminRoute } from './admin-route';
import { sendText } from './send-text';
import type { AdminUseCases } from './admin-routes';
import { adminRoutes } from './admin-routes';

export type AdminRouterDeps = AuthenticationDeps &
  Readonly<{
    configuration: Pick<Configuration, 'keyByHash' | 'tenant'>;
    useCases: AdminUseCases;
    /** Knows then on whose behalf a handler writes. */
    author: ChangeAuthor;
  }>;

/** Admin documents are written by people: a policy of 100 patterns has 20 kB, and nothing in one is nested deeper than 5. */
const BODY_LIMIT_BYTES = 1_048_576;
const BODY_BOUNDS: BodyBounds = { maxDepth: 32, maxArrayLength: 1_000 };

/** The admin API, to be mounted at `/admin/v1` behind `requestId` and before `errorHandler`. */
export function adminRouter(deps: AdminRouterDeps): Router {
  const router = Router({ caseSensitive: true });
  router.use(authenticate(deps));
  router.use(noZeroCharacter);
  for (const route of adminRoutes(deps.useCases)) {
    router[route.method](expressPath(route), ...guardsOf(route, deps), handler(route, deps.author));
  }
  router.use((req, res) => {
    sendError(res, { code: 'not_found', message: `There is no ${req.method} ${req.baseUrl}${req.path}.` });
  });
  return router;
}

/** Nothing is named with one, and PostgreSQL can't even be asked for it. */
const noZeroCharacter: RequestHandler = (req, res, next) => {
  if (!req.url.includes('%00')) return next();
  const message = 'The path or the query holds a zero character (%00), which no name and no value has.';
  sendError(res, { code: 'invalid_request_error', reason: 'invalid_value', param: null, message });
};

function expressPath({ path }: AdminRoute): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Isolation comes before the scope: a key that lacks the scope may not learn which tenants exist either. */
function guardsOf(route: AdminRoute, { configuration }: AdminRouterDeps): RequestHandler[] {
  const isolation = route.path.includes('{tenant}') ? [ownTenant(configuration)] : [];
  return [
    ...isolation,
    requireScope(route.scope),
    jsonBody(BODY_LIMIT_BYTES),
    boundedBody(BODY_BOUNDS),
    nothingUnread(route),
  ];
}

/** A field or parameter that no one will read is a mistake of the caller, and he is told. */
function nothingUnread(route: AdminRoute): RequestHandler {
  return (req, res, next) => {
    const body: unknown = req.body;
    const unread = [
      ...(route.query === null ? Object.keys(req.query) : []),
      ...(route.body === null && isJsonObject(body) ? Object.keys(body) : []),
    ];
    if (unread.length === 0) return next();
    sendError(res, invalidRequest(unread.map((field) => ({ field, message: 'is not a known field' }))));
  };
}

function handler(route: AdminRoute, author: ChangeAuthor): RequestHandler {
  return async (req, res) => {
    const request = requestOf(req, res);
    const result = await author.actAs(request.caller.id, () => route.handle(request));
    if (!result.ok) return sendError(res, result.error);
    const { status, headers, body, text } = result.value;
    res.status(status).set({ 'cache-control': 'no-store', ...headers });
    if (text !== undefined) await sendText(res, text);
    else if (body === null) res.end();
    else res.json(body);
  };
}

function requestOf(req: Request, res: Response): AdminRequest {
  return {
    params: req.params as Record<string, string>,
    query: { ...req.query },
    body: req.body as unknown,
    caller: callerOf(res),
    ifMatch: req.get('if-match'),
    ifNoneMatch: req.get('if-none-match'),
  };
}
