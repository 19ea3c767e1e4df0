import type { ReadTenants } from '../../../../usecase/tenant/read-tenants';
import type { WriteEligibility } from '../../../../usecase/tenant/write-eligibility';
import type { AdminRoute } from '../admin-route';
import { param, plain, replied, withBody } from '../admin-route';
import { EligibilityDto } from './eligibility-dto';
import { eligibilityOf, presentEligibility } from './eligibility-presenter';

export type EligibilityUseCases = Readonly<{ writeEligibility: WriteEligibility; readTenants: ReadTenants }>;

export function eligibilityRoutes({
  writeEligibility,
  readTenants,
}: EligibilityUseCases): readonly AdminRoute[] {
  return [
    {
      method: 'get',
      path: '/tenants/{tenant}/eligibility',
      scope: 'tenant:admin',
      summary: 'Read which regions, providers and models a tenant allows',
      ...plain(async (request) => {
        const tenant = readTenants.one(param(request, 'tenant'));
        return tenant.ok ? replied(200, presentEligibility(tenant.value.eligibility)) : tenant;
      }),
    },
    {
      method: 'put',
      path: '/tenants/{tenant}/eligibility',
      scope: 'tenant:admin',
      summary: "Replace a tenant's eligibility rules",
      ...withBody(EligibilityDto, async (request, dto) => {
        const outcome = await writeEligibility.execute(param(request, 'tenant'), eligibilityOf(dto));
        return outcome.ok ? replied(200, presentEligibility(outcome.value)) : outcome;
      }),
    },
  ];
}
