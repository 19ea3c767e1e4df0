import type { GatewayError, Problem } from '../../domain/error/gateway-error';
import type { TenantId } from '../../domain/kernel/ids';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { ApiKey, Scope } from '../../domain/tenant/api-key';
import type { Clock } from '../port/clock';
import type { IdGenerator } from '../port/id-generator';
import type { SecretGenerator } from '../port/secret-generator';
import type { TenantStore } from '../port/tenant-store';
import type { Issuer } from './grantable-scopes';
import { mayGrant, mayGrantGroups } from './grantable-scopes';

export type IssueKeyDeps = Readonly<{
  tenants: Pick<TenantStore, 'insertKey'>;
  secrets: SecretGenerator;
  ids: IdGenerator;
  clock: Clock;
}>;

export type NewKey = Readonly<{
  name: string;
  scopes: readonly Scope[];
  groups: readonly string[];
  expiresAtMs: number | null;
}>;

/** The secret is known here for the only time. */
export type IssuedKey = Readonly<{ key: ApiKey; secret: string }>;

/** Enough to tell keys apart, far too little to guess one. */
const HINT_LENGTH = 4;

/** Makes a key of a tenant, or of the operator where `tenant` is null. */
export class IssueKey {
  constructor(private readonly deps: IssueKeyDeps) {}

  async execute(
    tenant: TenantId | null,
    wanted: NewKey,
    issuer: Issuer,
  ): Promise<Result<IssuedKey, GatewayError>> {
    const { tenants, secrets, ids, clock } = this.deps;
    const nowMs = clock.nowMs();
    const refusal = ungrantable(tenant, wanted, issuer);
    if (refusal !== null) return err({ code: 'forbidden', message: refusal });
    const problems = problemsOf(wanted, nowMs);
    if (problems.length > 0) return err({ code: 'unprocessable', problems });

    const secret = secrets.newSecret();
    const key: ApiKey = {
      ...wanted,
      id: ids.next('key'),
      tenantId: tenant,
      secretHash: secrets.hash(secret),
      hint: secret.slice(-HINT_LENGTH),
      createdAtMs: nowMs,
      revokedAtMs: null,
    };
    await tenants.insertKey(key);
    return ok({ key, secret });
  }
}

function ungrantable(tenant: TenantId | null, wanted: NewKey, issuer: Issuer): string | null {
  if (tenant !== null && wanted.scopes.includes('operator'))
    return "A tenant's key can not have the scope 'operator'.";
  if (tenant === null && !wanted.scopes.includes('operator'))
    return 'A key without a tenant must be an operator’s.';
  const beyond = wanted.scopes.find((scope) => !mayGrant(issuer, scope));
  if (beyond !== undefined) return `This key can not grant the scope '${beyond}', which it lacks.`;
  return mayGrantGroups(issuer, wanted.groups)
    ? null
    : 'This key can not grant channel groups beyond its own.';
}

function problemsOf(wanted: NewKey, nowMs: number): Problem[] {
  const expired = wanted.expiresAtMs !== null && wanted.expiresAtMs <= nowMs;
  return expired ? [{ field: 'expires_at', message: 'must be in the future' }] : [];
}
