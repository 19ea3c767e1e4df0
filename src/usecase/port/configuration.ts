import type { Catalog } from '../../domain/catalog/catalog';
import type { TenantId } from '../../domain/kernel/ids';
import type { PolicyIndex } from '../../domain/routing/match-policy';
import type { PolicyVersion } from '../../domain/routing/policy-version';
import type { ApiKey } from '../../domain/tenant/api-key';
import type { Tenant } from '../../domain/tenant/tenant';

/** What operators and tenants configured, read from memory. A change is visible here before its write is answered. */
export interface Configuration {
  catalog(): Catalog;
  tenant(id: TenantId): Tenant | undefined;
  /** All tenants, in the order of their creation. */
  tenants(): readonly Tenant[];
  /** The key with this secret, whether usable or not; `secretHash` is SHA-256, hex. */
  keyByHash(secretHash: string): ApiKey | undefined;
  /** A tenant's keys in the order of their creation; null: the operators' keys. */
  keysOf(tenant: TenantId | null): readonly ApiKey[];
  /** The current versions of a tenant's policies, by name. */
  policiesOf(tenant: TenantId): ReadonlyMap<string, PolicyVersion>;
  /** The same by what they answer for. */
  policyIndexOf(tenant: TenantId): PolicyIndex;
}
