import type { GatewayError } from '../../domain/error/gateway-error';
import type { TenantId } from '../../domain/kernel/ids';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { ApiKey } from '../../domain/tenant/api-key';
import { hasScope } from '../../domain/tenant/api-key';
import type { Tenant, TenantFeatures } from '../../domain/tenant/tenant';
import type { Configuration } from '../port/configuration';
import type { TenantStore } from '../port/tenant-store';

export type UpdateTenantDeps = Readonly<{
  configuration: Pick<Configuration, 'tenant' | 'tenants'>;
  tenants: Pick<TenantStore, 'updateTenant'>;
}>;

export type TenantChange = Readonly<{ name: string | null; features: Partial<TenantFeatures> }>;

/** Renames a tenant or switches its features; the latter is the operator's alone. */
export class UpdateTenant {
  constructor(private readonly deps: UpdateTenantDeps) {}

  async execute(id: TenantId, change: TenantChange, by: ApiKey): Promise<Result<Tenant, GatewayError>> {
    const { configuration, tenants } = this.deps;
    const tenant = configuration.tenant(id);
    if (tenant === undefined) return err({ code: 'not_found', message: `There is no tenant '${id}'.` });
    if (Object.keys(change.features).length > 0 && !hasScope(by, 'operator'))
      return err(FEATURES_ARE_OPERATORS);
    const name = change.name ?? tenant.name;
    if (configuration.tenants().some((other) => other.id !== id && other.name === name))
      return err(nameTaken(by));

    const updated = { ...tenant, name, features: { ...tenant.features, ...change.features } };
    await tenants.updateTenant(updated);
    return ok(updated);
  }
}

const FEATURES_ARE_OPERATORS: GatewayError = {
  code: 'forbidden',
  message: "Features of a tenant are switched by an operator: this key lacks the scope 'operator'.",
};

/** To a tenant the refusal must not say that another customer has that name. */
function nameTaken(by: ApiKey): GatewayError {
  const message = hasScope(by, 'operator')
    ? 'There is a tenant with this name already.'
    : 'This name can not be taken.';
  return { code: 'conflict', message, param: 'name' };
}
