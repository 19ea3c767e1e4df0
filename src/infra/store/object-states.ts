import type { Transaction } from 'kysely';
import type { ChangedObject } from '../../domain/audit/admin-change';
import type { JsonObject, JsonValue } from '../../domain/kernel/json';
import { fromJson } from './json-column';
import type { ConfigurationConcept, StoreSchema } from './schema';

/** An object of the configuration as it is stored at a moment, for the record of what was changed. */
export type ObjectState = Readonly<{
  kind: ChangedObject;
  id: string;
  tenant: string | null;
  version: number | null;
  /** Who wrote it, where the object itself says so. */
  by: string | null;
  state: JsonObject;
}>;

type ReadStates = (transaction: Transaction<StoreSchema>, id: string) => Promise<readonly ObjectState[]>;

/** The columns, or what lies in them, of which an auditor may read the values; of the others, that they changed: they could hold a secret. */
export const SHOWN_FIELDS: Readonly<Record<ChangedObject, readonly string[]>> = {
  tenant: ['name', 'features', 'eligibility', 'groups', 'wallet', 'archive'],
  api_key: ['name', 'scopes', 'groups', 'group_strategy', 'rpm', 'expires_at', 'revoked_at'],
  provider: ['name', 'data_policy'],
  channel: ['provider', 'kind', 'region', 'channel_group', 'priority', 'enabled'],
  model: ['provider', 'aliases', 'contract'],
  offering: ['channel', 'model', 'upstream_name', 'price', 'contract', 'enabled'],
  offering_checks: ['subject.channel', 'subject.upstreamName'],
  routing_policy: ['restored_from', 'policy'],
  wallet: ['amount_micro_usd', 'reference', 'note'],
  archive_entry: [],
  audit_chain: [],
};

const JSON_COLUMNS: readonly string[] = [
  'features',
  'archive',
  'eligibility',
  'scopes',
  'groups',
  'data_policy',
  'options',
  'aliases',
  'contract',
  'price',
  'subject',
  'results',
  'policy',
];

/** Says nothing that isn't said by the object's own id. */
const LEFT_OUT: readonly string[] = ['id', 'registered', 'created_at', 'tenant'];

const READ: Readonly<Record<ConfigurationConcept, ReadStates>> = {
  tenant: async (transaction, id) => {
    const rows = await transaction.selectFrom('tenants').selectAll().where('id', '=', id).execute();
    return rows.map((row) => stateOf('tenant', row, row.id));
  },
  api_key: async (transaction, id) => {
    const rows = await transaction.selectFrom('api_keys').selectAll().where('id', '=', id).execute();
    return rows.map(({ secret_hash: _hash, hint: _hint, ...row }) => stateOf('api_key', row, row.tenant));
  },
  provider: catalogStates('provider', 'providers'),
  channel: catalogStates('channel', 'channels'),
  model: catalogStates('model', 'models'),
  offering: catalogStates('offering', 'offerings'),
  offering_checks: catalogStates('offering_checks', 'offering_checks'),
  policies: currentPolicies,
};

/** What a write that is announced under this concept and id can change. */
export function readStates(
  transaction: Transaction<StoreSchema>,
  concept: ConfigurationConcept,
  id: string,
): Promise<readonly ObjectState[]> {
  return READ[concept](transaction, id);
}

type CatalogTable = 'providers' | 'channels' | 'models' | 'offerings' | 'offering_checks';

function catalogStates(kind: ChangedObject, table: CatalogTable): ReadStates {
  return async (transaction, id) => {
    const rows = await transaction
      .withTables<{ [K in CatalogTable]: Readonly<{ id: string }> }>()
      .selectFrom(table)
      .selectAll()
      .where('id', '=', id)
      .execute();
    return rows.map((row) => stateOf(kind, row, null));
  };
}

async function currentPolicies(
  transaction: Transaction<StoreSchema>,
  tenant: string,
): Promise<readonly ObjectState[]> {
  const rows = await transaction
    .selectFrom('routing_policies as current')
    .innerJoin('routing_policy_versions as written', (join) =>
      join
        .onRef('written.tenant', '=', 'current.tenant')
        .onRef('written.name', '=', 'current.name')
        .onRef('written.version', '=', 'current.version'),
    )
    .select([
      'written.name',
      'written.version',
      'written.policy',
      'written.created_by',
      'written.restored_from',
    ])
    .where('current.tenant', '=', tenant)
    .execute();
  return rows.map(({ name, version, policy, created_by, restored_from }) => ({
    kind: 'routing_policy',
    id: `${tenant}/${name}`,
    tenant,
    version,
    by: created_by,
    state: { policy: fromJson<JsonObject>(policy), restored_from },
  }));
}

function stateOf(kind: ChangedObject, row: Readonly<{ id: string }>, tenant: string | null): ObjectState {
  const columns = Object.entries(row).filter(([column]) => !LEFT_OUT.includes(column));
  const state = Object.fromEntries(columns.map(([column, value]) => [column, valueOf(column, value)]));
  return { kind, id: row.id, tenant, version: null, by: null, state };
}

function valueOf(column: string, stored: unknown): JsonValue {
  if (typeof stored === 'string' && JSON_COLUMNS.includes(column)) return fromJson<JsonValue>(stored);
  return stored as JsonValue;
}
