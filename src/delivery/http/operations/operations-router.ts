import { Router } from 'express';
import type { Registry } from 'prom-client';

/** What load balancers ask. */
export interface Readiness {
  /** Null: ready. Otherwise why not, in words for an operator. */
  notReadyBecause(): Promise<string | null>;
}

export type OperationsRouterDeps = Readonly<{ readiness: Readiness; metrics: Registry; sandbox: boolean }>;

/** `/healthz`: the process lives. `/readyz`: it can take requests. `/metrics`: Prometheus. */
export function operationsRouter({ readiness, metrics, sandbox }: OperationsRouterDeps): Router {
  const router = Router({ caseSensitive: true });
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const reason = await readiness.notReadyBecause();
    res.status(reason === null ? 200 : 503).json({
      status: reason === null ? 'ready' : 'not_ready',
      sandbox,
      ...(reason === null ? {} : { reason }),
    });
  });
  router.get('/metrics', async (_req, res) => {
    const text = await metrics.metrics();
    res.set('content-type', metrics.contentType).send(text);
  });
  return router;
}
