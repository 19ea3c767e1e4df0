import type { ApiKeyId, TenantId } from '../../domain/kernel/ids';
import type { ApiKey } from '../../domain/tenant/api-key';

/** Keys by what they are looked up by: the hash on every request, the tenant when somebody lists them. */
export class ApiKeyIndex {
  private readonly byId = new Map<ApiKeyId, ApiKey>();
  private readonly bySecretHash = new Map<string, ApiKey>();
  private readonly byTenant = new Map<TenantId | null, Set<ApiKeyId>>();

  put(key: ApiKey): void {
    this.byId.set(key.id, key);
    this.bySecretHash.set(key.secretHash, key);
    const siblings = this.byTenant.get(key.tenantId);
    if (siblings === undefined) this.byTenant.set(key.tenantId, new Set([key.id]));
    else siblings.add(key.id);
  }

  remove(id: ApiKeyId): void {
    const key = this.byId.get(id);
    if (key === undefined) return;
    this.byId.delete(id);
    this.bySecretHash.delete(key.secretHash);
    this.byTenant.get(key.tenantId)?.delete(id);
  }

  withHash(secretHash: string): ApiKey | undefined {
    return this.bySecretHash.get(secretHash);
  }

  of(tenant: TenantId | null): readonly ApiKey[] {
    return [...(this.byTenant.get(tenant) ?? [])].flatMap((id) => this.byId.get(id) ?? []);
  }
}
