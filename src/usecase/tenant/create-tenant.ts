import type { GatewayError } from '../../domain/error/gateway-error';
import type { TenantId } from '../../domain/kernel/ids';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import { UNRESTRICTED } from '../../domain/tenant/eligibility';
import type { Tenant, TenantFeatures, TenantGroup } from '../../domain/tenant/tenant';
import type { Clock } from '../port/clock';
import type { Configuration } from '../port/configuration';
import type { IdGenerator } from '../port/id-generator';
import type { TenantStore } from '../port/tenant-store';
import { tenantGroupProblems } from './group-problems';

export type CreateTenantDeps = Readonly<{
  configuration: Pick<Configuration, 'tenant' | 'tenants' | 'catalog'>;
  tenants: Pick<TenantStore, 'insertTenant'>;
  ids: IdGenerator;
  clock: Clock;
  /** What the operator decided for tenants of whom nothing is said (DESIGN §4). */
  defaultFeatures: TenantFeatures;
}>;

export type NewTenant = Readonly<{
  /** A slug that the operator chose; null: one is made. */
  id: TenantId | null;
  name: string;
  features: Partial<TenantFeatures>;
  groups: readonly TenantGroup[] | null;
}>;

/** Registers a customer without keys, and without restrictions but for its groups. */
export class CreateTenant {
  constructor(private readonly deps: CreateTenantDeps) {}

  async execute(wanted: NewTenant): Promise<Result<Tenant, GatewayError>> {
    const { configuration, tenants, ids, clock, defaultFeatures } = this.deps;
    const tenant: Tenant = {
      id: wanted.id ?? ids.next('ten'),
      name: wanted.name,
      features: { ...defaultFeatures, ...wanted.features },
      eligibility: UNRESTRICTED,
      groups: wanted.groups,
      createdAtMs: clock.nowMs(),
    };
    const problems = tenantGroupProblems(wanted.groups, configuration.catalog());
    if (problems.length > 0) return err({ code: 'unprocessable', problems });
    if (configuration.tenant(tenant.id) !== undefined) return err(taken('id', tenant.id));
    // The store has the last word: two requests may have found the same name free.
    const outcome = await tenants.insertTenant(tenant);
    return outcome === 'stored' ? ok(tenant) : err(taken('name', tenant.name));
  }
}

function taken(param: 'id' | 'name', value: string): GatewayError {
  return { code: 'conflict', message: `There is a tenant with the ${param} '${value}' already.`, param };
}
