import type { TenantFeatures } from '../../../../domain/tenant/tenant';
import type { CreateTenant } from '../../../../usecase/tenant/create-tenant';
import type { ReadTenants } from '../../../../usecase/tenant/read-tenants';
import type { UpdateTenant } from '../../../../usecase/tenant/update-tenant';
import type { AdminRoute } from '../admin-route';
import { listed, param, plain, replied, withBody } from '../admin-route';
import type { TenantFeaturesDto } from './create-tenant-dto';
import { CreateTenantDto } from './create-tenant-dto';
import { tenantGroupsOf } from './tenant-group-dto';
import { presentTenant } from './tenant-presenter';
import { UpdateTenantDto } from './update-tenant-dto';

export type TenantUseCases = Readonly<{
  createTenant: CreateTenant;
  updateTenant: UpdateTenant;
  readTenants: ReadTenants;
}>;

export function tenantRoutes(useCases: TenantUseCases): readonly AdminRoute[] {
  return [...allTenantsRoutes(useCases), ...oneTenantRoutes(useCases)];
}

function allTenantsRoutes({ createTenant, readTenants }: TenantUseCases): readonly AdminRoute[] {
  return [
    {
      method: 'get',
      path: '/tenants',
      scope: 'operator',
      summary: 'List the tenants',
      ...plain(async () => listed(readTenants.all().map(presentTenant))),
    },
    {
      method: 'post',
      path: '/tenants',
      scope: 'operator',
      summary: 'Register a tenant',
      ...withBody(CreateTenantDto, async (_request, { id, name, features, groups }) => {
        const created = await createTenant.execute({
          id: id ?? null,
          name,
          features: featuresOf(features),
          groups: tenantGroupsOf(groups ?? null),
        });
        return created.ok ? replied(201, presentTenant(created.value)) : created;
      }),
    },
  ];
}

function oneTenantRoutes({ updateTenant, readTenants }: TenantUseCases): readonly AdminRoute[] {
  return [
    {
      method: 'get',
      path: '/tenants/{tenant}',
      scope: 'tenant:admin',
      summary: 'Read a tenant',
      ...plain(async (request) => {
        const tenant = readTenants.one(param(request, 'tenant'));
        return tenant.ok ? replied(200, presentTenant(tenant.value)) : tenant;
      }),
    },
    {
      method: 'patch',
      path: '/tenants/{tenant}',
      scope: 'tenant:admin',
      summary: 'Rename a tenant, or (operators only) switch its features or set its groups',
      ...withBody(UpdateTenantDto, async (request, { name, features, groups }) => {
        const change = {
          name: name ?? null,
          features: featuresOf(features),
          ...(groups === undefined ? {} : { groups: tenantGroupsOf(groups) }),
        };
        const updated = await updateTenant.execute(param(request, 'tenant'), change, request.caller);
        return updated.ok ? replied(200, presentTenant(updated.value)) : updated;
      }),
    },
  ];
}

function featuresOf(dto: TenantFeaturesDto | undefined): Partial<TenantFeatures> {
  return dto?.failover === undefined ? {} : { failover: dto.failover };
}
