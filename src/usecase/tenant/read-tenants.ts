import type { GatewayError } from '../../domain/error/gateway-error';
import type { TenantId } from '../../domain/kernel/ids';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { ApiKey } from '../../domain/tenant/api-key';
import type { Tenant } from '../../domain/tenant/tenant';
import type { Configuration } from '../port/configuration';

/** What is registered of tenants and their keys. */
export class ReadTenants {
  constructor(private readonly configuration: Pick<Configuration, 'tenant' | 'tenants' | 'keysOf'>) {}

  all(): readonly Tenant[] {
    return this.configuration.tenants();
  }

  one(id: TenantId): Result<Tenant, GatewayError> {
    const tenant = this.configuration.tenant(id);
    return tenant === undefined
      ? err({ code: 'not_found', message: `There is no tenant '${id}'.` })
      : ok(tenant);
  }

  /** Revoked and expired keys included, newest first. */
  keys(id: TenantId): readonly ApiKey[] {
    return [...this.configuration.keysOf(id)].sort(
      (a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1),
    );
  }
}
