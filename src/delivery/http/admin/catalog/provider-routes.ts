import type { RegisterProvider } from '../../../../usecase/catalog/register-provider';
import { invalidRequest } from '../../middleware/validated-body';
import { err } from '../../../../domain/kernel/result';
import type { AdminRoute } from '../admin-route';
import { param, withBody } from '../admin-route';
import { SLUG } from '../field-rules';
import { pathId } from '../path-id';
import type { EntryUseCases } from './entry-routes';
import { entryRoutes, writtenReply } from './entry-routes';
import { ProviderDto } from './provider-dto';
import { presentProvider, providerOf } from './provider-presenter';

export type ProviderUseCases = EntryUseCases & Readonly<{ registerProvider: RegisterProvider }>;

export function providerRoutes(useCases: ProviderUseCases): readonly AdminRoute[] {
  const { registerProvider } = useCases;
  return [
    ...entryRoutes('provider', presentProvider, useCases),
    {
      method: 'post',
      path: '/providers',
      scope: 'operator',
      summary: 'Register a provider',
      ...withBody(ProviderDto, async (_request, dto) => {
        if (dto.id === undefined) return err(invalidRequest([{ field: 'id', message: 'must be given' }]));
        const outcome = await registerProvider.execute(providerOf(dto.id, dto), 'create');
        return outcome.ok ? writtenReply(outcome.value, presentProvider) : outcome;
      }),
    },
    {
      method: 'put',
      path: '/providers/{provider}',
      scope: 'operator',
      summary: 'Write a provider, whether it exists or not',
      ...withBody(ProviderDto, async (request, dto) => {
        const id = pathId({ field: 'id', inPath: param(request, 'provider'), inBody: dto.id, pattern: SLUG });
        if (!id.ok) return id;
        const outcome = await registerProvider.execute(providerOf(id.value, dto), 'put');
        return outcome.ok ? writtenReply(outcome.value, presentProvider) : outcome;
      }),
    },
  ];
}
