import { Router } from 'express';
import type { AdminRoute } from '../admin/admin-route';
import { openApiDocument } from './openapi-document';

/** `GET /openapi.json`, for everybody: it tells what can be asked, and nothing that was answered. */
export function openApiRouter(routes: readonly AdminRoute[]): Router {
  const document = openApiDocument(routes);
  const router = Router();
  router.get('/openapi.json', (_req, res) => {
    res.set('cache-control', 'no-cache').json(document);
  });
  return router;
}
