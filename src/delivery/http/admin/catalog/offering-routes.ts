import type { RegisterOffering } from '../../../../usecase/catalog/register-offering';
import type { AdminRoute } from '../admin-route';
import { param, withBody } from '../admin-route';
import { ENTRY_ID } from '../field-rules';
import { pathId } from '../path-id';
import type { EntryUseCases } from './entry-routes';
import { entryRoutes, writtenReply } from './entry-routes';
import { OfferingDto } from './offering-dto';
import { offeringOf, presentOffering } from './offering-presenter';

export type OfferingUseCases = EntryUseCases & Readonly<{ registerOffering: RegisterOffering }>;

export function offeringRoutes(useCases: OfferingUseCases): readonly AdminRoute[] {
  const { registerOffering } = useCases;
  return [
    ...entryRoutes('offering', presentOffering, useCases),
    {
      method: 'post',
      path: '/offerings',
      scope: 'operator',
      summary: 'Register an offering',
      ...withBody(OfferingDto, async (_request, dto) => {
        const outcome = await registerOffering.execute(offeringOf(dto.id ?? null, dto), 'create');
        return outcome.ok ? writtenReply(outcome.value, presentOffering) : outcome;
      }),
    },
    {
      method: 'put',
      path: '/offerings/{offering}',
      scope: 'operator',
      summary: 'Write an offering, whether it exists or not',
      ...withBody(OfferingDto, async (request, dto) => {
        const id = pathId({
          field: 'id',
          inPath: param(request, 'offering'),
          inBody: dto.id,
          pattern: ENTRY_ID,
        });
        if (!id.ok) return id;
        const outcome = await registerOffering.execute(offeringOf(id.value, dto), 'put');
        return outcome.ok ? writtenReply(outcome.value, presentOffering) : outcome;
      }),
    },
  ];
}
