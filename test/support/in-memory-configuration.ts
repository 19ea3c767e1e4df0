import type { Catalog, CatalogEntries } from '../../src/domain/catalog/catalog';
import { buildCatalog } from '../../src/domain/catalog/catalog';
import type { Channel } from '../../src/domain/catalog/channel';
import type { Model } from '../../src/domain/catalog/model';
import type { Offering } from '../../src/domain/catalog/offering';
import type { OfferingChecks } from '../../src/domain/catalog/offering-checks';
import type { Provider } from '../../src/domain/catalog/provider';
import type { TenantId } from '../../src/domain/kernel/ids';
import { indexPolicies, type PolicyIndex } from '../../src/domain/routing/match-policy';
import type { PolicyVersion } from '../../src/domain/routing/policy-version';
import type { ApiKey } from '../../src/domain/tenant/api-key';
import type { Tenant } from '../../src/domain/tenant/tenant';
import type { CatalogKind, CatalogStore } from '../../src/usecase/port/catalog-store';
import type { Configuration } from '../../src/usecase/port/configuration';
import type { PolicyStore } from '../../src/usecase/port/policy-store';
import { StoreUnavailable } from '../../src/usecase/port/store-unavailable';
import type { TenantStore } from '../../src/usecase/port/tenant-store';

/** Everything configured, and the stores that write it. A write is visible when it resolves, as the ports promise. */
export class InMemoryConfiguration implements Configuration, TenantStore, CatalogStore, PolicyStore {
  /** Writes so far, to show that a refused request wrote nothing. */
  writes = 0;
  /** From now on every write fails as if the database were gone. */
  unavailable = false;

  private readonly tenantsById = new Map<TenantId, Tenant>();
  private readonly keys = new Map<string, ApiKey>();
  private readonly versionsByPolicy = new Map<string, PolicyVersion[]>();
  private readonly removed = new Set<string>();
  private readonly providers = new Map<string, Provider>();
  private readonly channels = new Map<string, Channel>();
  private readonly models = new Map<string, Model>();
  private readonly offerings = new Map<string, Offering>();
  private readonly checks = new Map<string, OfferingChecks>();

  constructor(entries: CatalogEntries = { providers: [], channels: [], models: [], offerings: [] }) {
    for (const provider of entries.providers) this.providers.set(provider.id, provider);
    for (const channel of entries.channels) this.channels.set(channel.id, channel);
    for (const model of entries.models) this.models.set(model.name, model);
    for (const offering of entries.offerings) this.offerings.set(offering.id, offering);
  }

  catalog(): Catalog {
    return buildCatalog({
      providers: [...this.providers.values()],
      channels: [...this.channels.values()],
      models: [...this.models.values()],
      offerings: [...this.offerings.values()],
      checks: [...this.checks.values()],
    });
  }

  tenant(id: TenantId): Tenant | undefined {
    return this.tenantsById.get(id);
  }

  tenants(): readonly Tenant[] {
    return [...this.tenantsById.values()];
  }

  keyByHash(secretHash: string): ApiKey | undefined {
    return [...this.keys.values()].find((key) => key.secretHash === secretHash);
  }

  keysOf(tenant: TenantId | null): readonly ApiKey[] {
    return [...this.keys.values()].filter((key) => key.tenantId === tenant);
  }

  policiesOf(tenant: TenantId): ReadonlyMap<string, PolicyVersion> {
    const current = [...this.versionsByPolicy]
      .filter(([address]) => !this.removed.has(address))
      .flatMap(([, versions]) => versions.slice(0, 1))
      .filter((version) => version.tenant === tenant);
    return new Map(current.map((version) => [version.name, version]));
  }

  policyIndexOf(tenant: TenantId): PolicyIndex {
    return indexPolicies(this.policiesOf(tenant).values());
  }

  async insertTenant(tenant: Tenant): Promise<'stored' | 'conflict'> {
    this.write();
    const taken = this.tenants().some((other) => other.id === tenant.id || other.name === tenant.name);
    if (taken) return 'conflict';
    this.tenantsById.set(tenant.id, tenant);
    return 'stored';
  }

  async updateTenant(tenant: Tenant): Promise<void> {
    this.write();
    this.tenantsById.set(tenant.id, tenant);
  }

  async insertKey(key: ApiKey): Promise<void> {
    this.write();
    this.keys.set(key.id, key);
  }

  async updateKey(key: ApiKey): Promise<void> {
    this.write();
    this.keys.set(key.id, key);
  }

  async putProvider(provider: Provider): Promise<void> {
    this.write();
    this.providers.set(provider.id, provider);
  }

  async putChannel(channel: Channel): Promise<void> {
    this.write();
    this.channels.set(channel.id, channel);
  }

  async putModel(model: Model): Promise<void> {
    this.write();
    this.models.set(model.name, model);
  }

  async putOffering(offering: Offering): Promise<void> {
    this.write();
    this.offerings.set(offering.id, offering);
  }

  async putChecks(checks: OfferingChecks): Promise<void> {
    this.write();
    this.checks.set(checks.offering, checks);
  }

  async remove(kind: CatalogKind, id: string): Promise<void>;
  async remove(tenant: TenantId, name: string, expectedVersion: number): Promise<'removed' | 'conflict'>;
  async remove(
    first: string,
    second: string,
    expectedVersion?: number,
  ): Promise<'removed' | 'conflict' | void> {
    this.write();
    if (expectedVersion !== undefined) return this.removePolicy(first, second, expectedVersion);
    const entries = {
      provider: this.providers,
      channel: this.channels,
      model: this.models,
      offering: this.offerings,
    };
    entries[first as CatalogKind].delete(second);
  }

  async append(version: PolicyVersion): Promise<'stored' | 'conflict'> {
    this.write();
    const address = addressOf(version.tenant, version.name);
    const versions = this.versionsByPolicy.get(address) ?? [];
    if (version.version !== (versions[0]?.version ?? 0) + 1) return 'conflict';
    this.versionsByPolicy.set(address, [version, ...versions]);
    this.removed.delete(address);
    return 'stored';
  }

  async versions(tenant: TenantId, name: string): Promise<readonly PolicyVersion[]> {
    return this.versionsByPolicy.get(addressOf(tenant, name)) ?? [];
  }

  private removePolicy(tenant: TenantId, name: string, expectedVersion: number): 'removed' | 'conflict' {
    if (this.policiesOf(tenant).get(name)?.version !== expectedVersion) return 'conflict';
    this.removed.add(addressOf(tenant, name));
    return 'removed';
  }

  private write(): void {
    if (this.unavailable) throw new StoreUnavailable('the database is gone');
    this.writes += 1;
  }
}

function addressOf(tenant: TenantId, name: string): string {
  return JSON.stringify([tenant, name]);
}
