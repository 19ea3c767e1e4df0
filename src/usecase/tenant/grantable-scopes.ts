import type { ApiKey, Scope } from '../../domain/tenant/api-key';
import { hasScope } from '../../domain/tenant/api-key';

/** Who makes a key: another key, or the machine's owner at the command line, who may grant everything. */
export type Issuer = ApiKey | 'machine_owner';

/**
 * Whether the issuer may give this scope away. Nobody hands out more than he has; `chat` is the exception, since whoever
 * administers a tenant's keys makes the keys of its apps. A tenant's key never becomes an operator's.
 */
export function mayGrant(issuer: Issuer, scope: Scope): boolean {
  if (issuer === 'machine_owner' || hasScope(issuer, scope)) return true;
  return scope === 'chat' && hasScope(issuer, 'tenant:admin');
}

/** A key that is bound to channel groups can't make one that reaches further: no groups means every group. */
export function mayGrantGroups(issuer: Issuer, groups: readonly string[]): boolean {
  if (issuer === 'machine_owner' || issuer.groups.length === 0) return true;
  return groups.length > 0 && groups.every((group) => issuer.groups.includes(group));
}
