import { Router } from 'express';
import type { JsonObject } from '../../../domain/kernel/json';
import type { ReadStatus, Status } from '../../../usecase/health/read-status';
import { rfc3339 } from '../admin/instant';
import { statusPage, type StatusLabel } from './status-page';

export type StatusRouterDeps = StatusLabel & Readonly<{ readStatus: Pick<ReadStatus, 'execute'> }>;

/** `/status`: how often providers answered lately, for anybody, as a page or as JSON. `/status.json`: as JSON. */
export function statusRouter({ readStatus, sandbox }: StatusRouterDeps): Router {
  const router = Router({ caseSensitive: true });
  router.get('/status', async (req, res) => {
    const status = await readStatus.execute();
    res.vary('accept');
    if (req.accepts(['html', 'json']) === 'json') res.json(presentStatus(status, { sandbox }));
    else res.type('html').send(statusPage(status, { sandbox }));
  });
  router.get('/status.json', async (_req, res) => {
    res.json(presentStatus(await readStatus.execute(), { sandbox }));
  });
  return router;
}

function presentStatus({ atMs, providers }: Status, { sandbox }: StatusLabel): JsonObject {
  return { at: rfc3339(atMs), sandbox, providers: providers.map(presentProvider) };
}

function presentProvider(observed: Status['providers'][number]): JsonObject {
  return {
    provider: observed.provider,
    name: observed.name,
    success_percent: {
      last_5_minutes: observed.last5Minutes,
      last_hour: observed.lastHour,
      last_24_hours: observed.last24Hours,
    },
    hours: observed.hours.map(({ fromMs, percent }) => ({ from: rfc3339(fromMs), success_percent: percent })),
  };
}
