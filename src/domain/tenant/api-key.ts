import type { ApiKeyId, TenantId } from '../kernel/ids';
import type { StrategyName } from '../routing/strategy-name';

/** What a key may do (DESIGN §9). `operator` keys belong to no tenant; all others to exactly one. */
export const SCOPES = [
  'chat',
  'tenant:admin',
  'policy:write',
  'policy:read',
  'audit:read',
  'operator',
] as const;
export type Scope = (typeof SCOPES)[number];

/** A credential of a caller. The secret itself is shown once and never stored. */
export type ApiKey = Readonly<{
  id: ApiKeyId;
  /** Null for an operator's key. */
  tenantId: TenantId | null;
  name: string;
  /** SHA-256 of the secret, hex. */
  secretHash: string;
  /** The last characters of the secret, to tell keys apart in a list. */
  hint: string;
  scopes: readonly Scope[];
  /** Channel groups that the key may use, in order of preference; empty means every group of its tenant. */
  groups: readonly string[];
  /** A smart key: its tenant's groups are ordered by this, for each request anew. Null: they are in their listed order. */
  groupStrategy: StrategyName | null;
  /** Chat requests that it may make in a minute; null: any number. */
  rpm: number | null;
  createdAtMs: number;
  expiresAtMs: number | null;
  revokedAtMs: number | null;
}>;

/** Whether the key may be used at this moment. The expiry instant itself is already too late. */
export function isUsable(key: ApiKey, nowMs: number): boolean {
  return key.revokedAtMs === null && (key.expiresAtMs === null || nowMs < key.expiresAtMs);
}

/** A policy can be read by whoever may write it, and a tenant's admin may do all but operate the gateway. */
const IMPLIED: Readonly<Record<Scope, readonly Scope[]>> = {
  chat: [],
  operator: ['tenant:admin', 'policy:write', 'policy:read', 'audit:read'],
  'tenant:admin': ['policy:write', 'policy:read', 'audit:read'],
  'policy:write': ['policy:read'],
  'policy:read': [],
  'audit:read': [],
};

export function hasScope(key: ApiKey, wanted: Scope): boolean {
  return key.scopes.some((scope) => scope === wanted || IMPLIED[scope].includes(wanted));
}
