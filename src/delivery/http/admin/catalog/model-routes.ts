import { err } from '../../../../domain/kernel/result';
import type { RegisterModel } from '../../../../usecase/catalog/register-model';
import { invalidRequest } from '../../middleware/validated-body';
import type { AdminRoute } from '../admin-route';
import { param, withBody } from '../admin-route';
import { MODEL_NAME } from '../field-rules';
import { pathId } from '../path-id';
import type { EntryUseCases } from './entry-routes';
import { entryRoutes, writtenReply } from './entry-routes';
import { ModelDto } from './model-dto';
import { modelOf, presentModel } from './model-presenter';

export type ModelUseCases = EntryUseCases & Readonly<{ registerModel: RegisterModel }>;

export function modelRoutes(useCases: ModelUseCases): readonly AdminRoute[] {
  const { registerModel } = useCases;
  return [
    ...entryRoutes('model', presentModel, useCases),
    {
      method: 'post',
      path: '/models',
      scope: 'operator',
      summary: 'Register a model',
      ...withBody(ModelDto, async (_request, dto) => {
        if (dto.name === undefined) return err(invalidRequest([{ field: 'name', message: 'must be given' }]));
        const outcome = await registerModel.execute(modelOf(dto.name, dto), 'create');
        return outcome.ok ? writtenReply(outcome.value, presentModel) : outcome;
      }),
    },
    {
      method: 'put',
      path: '/models/{model}',
      scope: 'operator',
      summary: 'Write a model, whether it exists or not; a slash in its name is sent as %2F',
      ...withBody(ModelDto, async (request, dto) => {
        const name = pathId({
          field: 'name',
          inPath: param(request, 'model'),
          inBody: dto.name,
          pattern: MODEL_NAME,
        });
        if (!name.ok) return name;
        const outcome = await registerModel.execute(modelOf(name.value, dto), 'put');
        return outcome.ok ? writtenReply(outcome.value, presentModel) : outcome;
      }),
    },
  ];
}
