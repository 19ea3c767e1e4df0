import { Router, type Response } from 'express';
import { hasScope } from '../../../domain/tenant/api-key';
import type { ListedModel, ListModels } from '../../../usecase/catalog/list-models';
import type { Configuration } from '../../../usecase/port/configuration';
import { sendError } from '../error/send-error';
import { authenticate, callerOf } from '../middleware/authenticate';
import type { AuthenticationDeps } from '../middleware/identify-caller';

export type ModelsRouterDeps = AuthenticationDeps &
  Readonly<{ configuration: Pick<Configuration, 'keyByHash' | 'tenant'>; listModels: ListModels }>;

/** `GET /v1/models` and `GET /v1/models/{id}`, as OpenAI's clients expect them. */
export function modelsRouter(deps: ModelsRouterDeps): Router {
  const router = Router({ caseSensitive: true });
  router.use(authenticate(deps));
  router.get('/', (_req, res) => {
    const models = modelsOf(res, deps);
    if (models !== null) res.json({ object: 'list', data: models.map(present) });
  });
  // Names such as `meta/llama-3` come encoded or not.
  router.get('/*id', (req, res) => {
    const models = modelsOf(res, deps);
    if (models === null) return;
    const id = [req.params['id'] ?? ''].flat().join('/');
    const model = models.find((listed) => listed.id === id);
    if (model === undefined) return sendError(res, { code: 'model_not_found', model: id });
    res.json(present(model));
  });
  return router;
}

/** Null: the caller has been refused. */
function modelsOf(
  res: Response,
  { configuration, listModels }: ModelsRouterDeps,
): readonly ListedModel[] | null {
  const key = callerOf(res);
  const tenant = key.tenantId === null ? undefined : configuration.tenant(key.tenantId);
  if (tenant !== undefined && hasScope(key, 'chat')) return listModels.execute(tenant);
  sendError(res, { code: 'forbidden', message: `This key lacks the scope 'chat'.` });
  return null;
}

/** The catalog keeps no date of creation, and the field is not optional. */
function present({ id, ownedBy }: ListedModel): object {
  return { id, object: 'model', created: 0, owned_by: ownedBy };
}
