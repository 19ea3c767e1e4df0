import type { ApiKey } from '../../domain/tenant/api-key';
import type { Tenant } from '../../domain/tenant/tenant';

/** Writes of tenants and keys. Every write is durable and visible in `Configuration` when it resolves. */
export interface TenantStore {
  /** `conflict`: a tenant with this id or name exists. */
  insertTenant(tenant: Tenant): Promise<'stored' | 'conflict'>;
  /** Replaces all but the id and the creation time. The tenant must exist, and no other may have its name: both are the caller's to check. */
  updateTenant(tenant: Tenant): Promise<void>;
  /** Id and secret must be new; the key's tenant must exist. */
  insertKey(key: ApiKey): Promise<void>;
  /** Replaces all but the id, the tenant, the secret and the creation time. */
  updateKey(key: ApiKey): Promise<void>;
}
