import { Router } from 'express';
import type { Registry } from 'prom-client';
import type { Sharing } from '../../../usecase/port/sharing';

/** What load balancers ask. */
export interface Readiness {
  /** Null: ready. Otherwise why not, in words for an operator. */
  notReadyBecause(): Promise<string | null>;
}

export type OperationsRouterDeps = Readonly<{
  readiness: Readiness;
  sharing: Sharing;
  metrics: Registry;
  sandbox: boolean;
}>;

/** `/healthz`: the process lives. `/readyz`: it can take requests. `/metrics`: Prometheus. */
export function operationsRouter({ readiness, sharing, metrics, sandbox }: OperationsRouterDeps): Router {
  const router = Router({ caseSensitive: true });
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const reason = await readiness.notReadyBecause();
    const shares = sharing.state();
    res.status(reason === null ? 200 : 503).json({
      status: reason === null ? 'ready' : 'not_ready',
      sandbox,
      // To know, and no reason to take a replica out: it serves alone as well.
      ...(shares === 'off' ? {} : { sharing: shares }),
      ...(reason === null ? {} : { reason }),
    });
  });
  router.get('/metrics', async (_req, res) => {
    const text = await metrics.metrics();
    res.set('content-type', metrics.contentType).send(text);
  });
  return router;
}
