import type { StrategyName } from '../../domain/routing/strategy-name';
import type { ApiKey, Scope } from '../../domain/tenant/api-key';
import { fromJson, toJson } from './json-column';

export type ApiKeyRow = Readonly<{
  id: string;
  tenant: string | null;
  name: string;
  secret_hash: string;
  hint: string;
  scopes: string;
  groups: string;
  group_strategy: StrategyName | null;
  rpm: number | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
}>;

export function apiKeyRowOf(key: ApiKey): ApiKeyRow {
  return {
    id: key.id,
    tenant: key.tenantId,
    name: key.name,
    secret_hash: key.secretHash,
    hint: key.hint,
    scopes: toJson(key.scopes),
    groups: toJson(key.groups),
    group_strategy: key.groupStrategy,
    rpm: key.rpm,
    created_at: key.createdAtMs,
    expires_at: key.expiresAtMs,
    revoked_at: key.revokedAtMs,
  };
}

export function apiKeyOf(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    tenantId: row.tenant,
    name: row.name,
    secretHash: row.secret_hash,
    hint: row.hint,
    scopes: fromJson<Scope[]>(row.scopes),
    groups: fromJson<string[]>(row.groups),
    groupStrategy: row.group_strategy,
    rpm: row.rpm,
    createdAtMs: row.created_at,
    expiresAtMs: row.expires_at,
    revokedAtMs: row.revoked_at,
  };
}
