import type { ApiKey } from '../../domain/tenant/api-key';
import type { Tenant } from '../../domain/tenant/tenant';

/** Writes of tenants and keys. Every write is durable and visible in `Configuration` when it resolves. */
export interface TenantStore {
  /** `conflict`: a tenant with this id or name exists. */
  insertTenant(tenant: Tenant): Promise<'stored' | 'conflict'>;
  updateTenant(tenant: Tenant): Promise<void>;
  insertKey(key: ApiKey): Promise<void>;
  /** Replaces name, scopes, groups, expiry and revocation; the secret never changes. */
  updateKey(key: ApiKey): Promise<void>;
}
