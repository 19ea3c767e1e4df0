import type { JsonObject } from '../../../../domain/kernel/json';
import type { Tenant } from '../../../../domain/tenant/tenant';
import { rfc3339 } from '../instant';

export function presentTenant(tenant: Tenant): JsonObject {
  return {
    id: tenant.id,
    name: tenant.name,
    features: { failover: tenant.features.failover },
    groups: tenant.groups?.map(({ name, rpm }) => ({ name, rpm })) ?? null,
    created_at: rfc3339(tenant.createdAtMs),
  };
}
