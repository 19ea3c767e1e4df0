import type { JsonObject } from '../../../../domain/kernel/json';
import type { ApiKey } from '../../../../domain/tenant/api-key';
import type { IssuedKey } from '../../../../usecase/tenant/issue-key';
import { rfc3339, rfc3339OrNull } from '../instant';

/** A key as it may be shown at any time: neither its secret nor the hash of it. */
export function presentKey(key: ApiKey): JsonObject {
  return {
    id: key.id,
    tenant: key.tenantId,
    name: key.name,
    hint: key.hint,
    scopes: key.scopes,
    groups: key.groups,
    group_strategy: key.groupStrategy,
    rpm: key.rpm,
    created_at: rfc3339(key.createdAtMs),
    expires_at: rfc3339OrNull(key.expiresAtMs),
    revoked_at: rfc3339OrNull(key.revokedAtMs),
  };
}

/** The only answer that holds a secret. */
export function presentIssuedKey({ key, secret }: IssuedKey): JsonObject {
  return { ...presentKey(key), secret };
}
