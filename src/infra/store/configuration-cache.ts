import type { Catalog } from '../../domain/catalog/catalog';
import type { TenantId } from '../../domain/kernel/ids';
import { indexPolicies, NO_POLICIES, type PolicyIndex } from '../../domain/routing/match-policy';
import type { PolicyVersion } from '../../domain/routing/policy-version';
import type { ApiKey } from '../../domain/tenant/api-key';
import type { Tenant } from '../../domain/tenant/tenant';
import type { CatalogKind } from '../../usecase/port/catalog-store';
import type { Configuration } from '../../usecase/port/configuration';
import { apiKeyOf } from './api-key-row';
import { ApiKeyIndex } from './api-key-index';
import { CatalogIndex } from './catalog-index';
import { channelOf, modelOf, offeringOf, providerOf } from './catalog-row';
import type { ConfigurationRows, Ids } from './configuration-rows';
import type { ConfigurationFollower } from './configuration-writer';
import { offeringChecksOf } from './offering-checks-row';
import { policyVersionOf } from './policy-row';
import { CONFIGURATION_CONCEPTS, type ConfigurationChangeRow, type ConfigurationConcept } from './schema';
import { guarded } from './store-failure';
import { tenantOf } from './tenant-row';

/** Changes applied at a time; their ids become parameters of one query. */
const CHANGES_AT_A_TIME = 500;

const NONE_BY_NAME: ReadonlyMap<string, PolicyVersion> = new Map();

type TenantPolicies = Readonly<{ byName: ReadonlyMap<string, PolicyVersion>; index: PolicyIndex }>;

/** Reads what changed, and returns how to show it. */
type Reading = (ids: Ids) => Promise<() => void>;

/**
 * All configuration in memory, indexed by what a request asks for. It follows the store change by change; while the store
 * can't be read it keeps what it knows.
 */
export class ConfigurationCache implements Configuration, ConfigurationFollower {
  private lastSequence = 0;
  private reading: Promise<void> = Promise.resolve();
  private readonly tenantsById = new Map<TenantId, Tenant>();
  private readonly keys = new ApiKeyIndex();
  private readonly policies = new Map<TenantId, TenantPolicies>();
  private readonly index = new CatalogIndex();
  private readonly readings: Readonly<Record<ConfigurationConcept, Reading>>;

  constructor(private readonly rows: ConfigurationRows) {
    const { keys, tenantsById } = this;
    this.readings = {
      tenant: following({
        read: (ids) => rows.tenants(ids),
        entryOf: tenantOf,
        put: (tenant) => tenantsById.set(tenant.id, tenant),
        remove: (id) => tenantsById.delete(id),
      }),
      api_key: following({
        read: (ids) => rows.apiKeys(ids),
        entryOf: apiKeyOf,
        put: (key) => keys.put(key),
        remove: (id) => keys.remove(id),
      }),
      ...catalogReadings(rows, this.index),
      policies: (tenants) => this.readPolicies(tenants),
    };
  }

  catalog(): Catalog {
    return this.index.catalog();
  }

  tenant(id: TenantId): Tenant | undefined {
    return this.tenantsById.get(id);
  }

  tenants(): readonly Tenant[] {
    return [...this.tenantsById.values()];
  }

  keyByHash(secretHash: string): ApiKey | undefined {
    return this.keys.withHash(secretHash);
  }

  keysOf(tenant: TenantId | null): readonly ApiKey[] {
    return this.keys.of(tenant);
  }

  policiesOf(tenant: TenantId): ReadonlyMap<string, PolicyVersion> {
    return this.policies.get(tenant)?.byName ?? NONE_BY_NAME;
  }

  policyIndexOf(tenant: TenantId): PolicyIndex {
    return this.policies.get(tenant)?.index ?? NO_POLICIES;
  }

  /** Reads everything. Must have resolved before anything is asked. */
  load(): Promise<void> {
    return this.afterOthers(async () => {
      // Read first: what is written while we load is read again by the next refresh.
      const sequence = await this.rows.lastSequence();
      const shows = await Promise.all(CONFIGURATION_CONCEPTS.map((concept) => this.readings[concept]('all')));
      for (const show of shows) show();
      this.lastSequence = sequence;
    });
  }

  /** Follows the changes of all processes; resolves when everything committed before the call is visible. */
  refresh(): Promise<void> {
    return this.afterOthers(async () => {
      let changes: readonly ConfigurationChangeRow[];
      do {
        changes = await this.rows.changesAfter(this.lastSequence, CHANGES_AT_A_TIME);
        await this.follow(changes);
      } while (changes.length === CHANGES_AT_A_TIME);
    });
  }

  /** A reading that has begun may have missed the latest commit, so each one waits for it and then reads anew. */
  private afterOthers(work: () => Promise<void>): Promise<void> {
    const reading = this.reading.then(() => guarded(work));
    this.reading = reading.catch(() => undefined);
    return reading;
  }

  private async follow(changes: readonly ConfigurationChangeRow[]): Promise<void> {
    const last = changes.at(-1);
    if (last === undefined) return;
    const shows: (() => void)[] = [];
    for (const concept of CONFIGURATION_CONCEPTS) {
      const ids = new Set(changes.filter((change) => change.concept === concept).map((change) => change.id));
      if (ids.size > 0) shows.push(await this.readings[concept]([...ids]));
    }
    // All at once: a request never sees one half of a change.
    for (const show of shows) show();
    this.lastSequence = last.sequence;
  }

  private async readPolicies(tenants: Ids): Promise<() => void> {
    const byTenant = new Map<TenantId, Map<string, PolicyVersion>>();
    for (const row of await this.rows.currentPolicies(tenants)) {
      const policies = byTenant.get(row.tenant) ?? new Map<string, PolicyVersion>();
      byTenant.set(row.tenant, policies.set(row.name, policyVersionOf(row)));
    }
    const read = [...byTenant].map(([tenant, byName]) => {
      return [tenant, { byName, index: indexPolicies(byName.values()) }] as const;
    });
    return () => {
      for (const tenant of tenants === 'all' ? [] : tenants) this.policies.delete(tenant);
      for (const [tenant, policies] of read) this.policies.set(tenant, policies);
    };
  }
}

function catalogReadings(
  rows: ConfigurationRows,
  index: CatalogIndex,
): Readonly<Record<CatalogKind | 'offering_checks', Reading>> {
  return {
    provider: following({
      read: (ids) => rows.providers(ids),
      entryOf: providerOf,
      put: (provider, row) => index.put('provider', row, provider),
      remove: (id) => index.remove('provider', id),
    }),
    channel: following({
      read: (ids) => rows.channels(ids),
      entryOf: channelOf,
      put: (channel, row) => index.put('channel', row, channel),
      remove: (id) => index.remove('channel', id),
    }),
    model: following({
      read: (ids) => rows.models(ids),
      entryOf: modelOf,
      put: (model, row) => index.put('model', row, model),
      remove: (id) => index.remove('model', id),
    }),
    offering: following({
      read: (ids) => rows.offerings(ids),
      entryOf: offeringOf,
      put: (offering, row) => index.put('offering', row, offering),
      remove: (id) => index.remove('offering', id),
    }),
    offering_checks: following({
      read: (ids) => rows.offeringChecks(ids),
      entryOf: offeringChecksOf,
      put: (checks) => index.putChecks(checks),
      remove: (id) => index.removeChecks(id),
    }),
  };
}

type Following<Row, Entry> = Readonly<{
  read: (ids: Ids) => Promise<readonly Row[]>;
  /** May fail on a damaged row, so it is done before anything is shown. */
  entryOf: (row: Row) => Entry;
  put: (entry: Entry, row: Row) => unknown;
  remove: (id: string) => unknown;
}>;

/** What was asked for and isn't stored has been removed. */
function following<Row extends Readonly<{ id: string }>, Entry>(concept: Following<Row, Entry>): Reading {
  return async (ids) => {
    const rows = (await concept.read(ids)).map((row) => ({ row, entry: concept.entryOf(row) }));
    const stored = new Set(rows.map(({ row }) => row.id));
    const removed = ids === 'all' ? [] : ids.filter((id) => !stored.has(id));
    return () => {
      for (const { row, entry } of rows) concept.put(entry, row);
      removed.forEach(concept.remove);
    };
  };
}
