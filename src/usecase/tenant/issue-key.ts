import type { GatewayError, Problem } from '../../domain/error/gateway-error';
import type { TenantId } from '../../domain/kernel/ids';
import type { StrategyName } from '../../domain/routing/strategy-name';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { ApiKey, Scope } from '../../domain/tenant/api-key';
import type { Clock } from '../port/clock';
import type { Configuration } from '../port/configuration';
import type { IdGenerator } from '../port/id-generator';
import type { SecretGenerator } from '../port/secret-generator';
import type { TenantStore } from '../port/tenant-store';
import type { Issuer } from './grantable-scopes';
import { mayGrant, mayGrantGroups } from './grantable-scopes';
import { groupProblems } from './group-problems';

export type IssueKeyDeps = Readonly<{
  configuration: Pick<Configuration, 'catalog' | 'tenant'>;
  tenants: Pick<TenantStore, 'insertKey'>;
  secrets: SecretGenerator;
  ids: IdGenerator;
  clock: Clock;
}>;

export type NewKey = Readonly<{
  name: string;
  scopes: readonly Scope[];
  groups: readonly string[];
  groupStrategy: StrategyName | null;
  rpm: number | null;
  expiresAtMs: number | null;
}>;

/** What a key has of whom nothing else is said: every group of its tenant, no limit, no end. */
export const PLAIN_KEY = { groups: [], groupStrategy: null, rpm: null, expiresAtMs: null } as const;

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
    const refusal = ungrantable(tenant, wanted, issuer);
    if (refusal !== null) return err({ code: 'forbidden', message: refusal });
    const problems = this.problemsOf(tenant, wanted);
    if (problems.length > 0) return err({ code: 'unprocessable', problems });
    return ok(await this.issue(tenant, wanted));
  }

  /** A new secret for all that a key has. What no channel is in any more is kept: the key is no better and no worse. */
  async reissue({ tenantId, ...old }: ApiKey, issuer: Issuer): Promise<Result<IssuedKey, GatewayError>> {
    const { name, scopes, groups, groupStrategy, rpm, expiresAtMs } = old;
    const wanted = { name, scopes, groups, groupStrategy, rpm, expiresAtMs };
    const refusal = ungrantable(tenantId, wanted, issuer);
    if (refusal !== null) return err({ code: 'forbidden', message: refusal });
    return ok(await this.issue(tenantId, wanted));
  }

  private async issue(tenant: TenantId | null, wanted: NewKey): Promise<IssuedKey> {
    const { tenants, secrets, ids, clock } = this.deps;
    const secret = secrets.newSecret();
    const key: ApiKey = {
      ...wanted,
      id: ids.next('key'),
      tenantId: tenant,
      secretHash: secrets.hash(secret),
      hint: secret.slice(-HINT_LENGTH),
      createdAtMs: clock.nowMs(),
      revokedAtMs: null,
    };
    await tenants.insertKey(key);
    return { key, secret };
  }

  private problemsOf(tenant: TenantId | null, wanted: NewKey): readonly Problem[] {
    const { configuration, clock } = this.deps;
    const { groups, groupStrategy, expiresAtMs } = wanted;
    const owner = (tenant === null ? undefined : configuration.tenant(tenant)) ?? { groups: null };
    const field = (index: number): string => `groups[${index}]`;
    const problems = [...groupProblems(groups, { catalog: configuration.catalog(), tenant: owner, field })];
    if (groupStrategy !== null && groups.length > 0) problems.push(BOTH_ORDERS);
    if (expiresAtMs !== null && expiresAtMs <= clock.nowMs())
      problems.push({ field: 'expires_at', message: 'must be in the future' });
    return problems;
  }
}

const BOTH_ORDERS: Problem = {
  field: 'group_strategy',
  message: 'orders every group of the tenant, so groups must be empty or left out',
};

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
