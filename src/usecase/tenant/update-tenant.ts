import type { GatewayError } from '../../domain/error/gateway-error';
import type { TenantId } from '../../domain/kernel/ids';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { ApiKey } from '../../domain/tenant/api-key';
import { hasScope } from '../../domain/tenant/api-key';
import type { Tenant, TenantFeatures, TenantGroup } from '../../domain/tenant/tenant';
import type { Configuration } from '../port/configuration';
import type { TenantStore } from '../port/tenant-store';
import { tenantGroupProblems } from './group-problems';

export type UpdateTenantDeps = Readonly<{
  configuration: Pick<Configuration, 'tenant' | 'tenants' | 'catalog'>;
  tenants: Pick<TenantStore, 'updateTenant'>;
}>;

export type TenantChange = Readonly<{
  name: string | null;
  features: Partial<TenantFeatures>;
  /** Absent: as they are; null: every group, without a limit. */
  groups?: readonly TenantGroup[] | null;
}>;

/** Renames a tenant, switches its features or sets its groups; all but the name is the operator's alone. */
export class UpdateTenant {
  constructor(private readonly deps: UpdateTenantDeps) {}

  async execute(id: TenantId, change: TenantChange, by: ApiKey): Promise<Result<Tenant, GatewayError>> {
    const { configuration, tenants } = this.deps;
    const tenant = configuration.tenant(id);
    if (tenant === undefined) return err({ code: 'not_found', message: `There is no tenant '${id}'.` });
    const { features, groups = tenant.groups } = change;
    const isOperators = Object.keys(features).length > 0 || change.groups !== undefined;
    if (isOperators && !hasScope(by, 'operator')) return err(OPERATORS_ONLY);
    const problems = change.groups === undefined ? [] : tenantGroupProblems(groups, configuration.catalog());
    if (problems.length > 0) return err({ code: 'unprocessable', problems });
    const name = change.name ?? tenant.name;
    if (configuration.tenants().some((other) => other.id !== id && other.name === name))
      return err(nameTaken(by));

    const updated = { ...tenant, name, groups, features: { ...tenant.features, ...features } };
    await tenants.updateTenant(updated);
    return ok(updated);
  }
}

const OPERATORS_ONLY: GatewayError = {
  code: 'forbidden',
  message: "Features and groups of a tenant are set by an operator: this key lacks the scope 'operator'.",
};

/** To a tenant the refusal must not say that another customer has that name. */
function nameTaken(by: ApiKey): GatewayError {
  const message = hasScope(by, 'operator')
    ? 'There is a tenant with this name already.'
    : 'This name can not be taken.';
  return { code: 'conflict', message, param: 'name' };
}
