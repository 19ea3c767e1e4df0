import type { GatewayError } from '../../domain/error/gateway-error';
import type { ApiKeyId, TenantId } from '../../domain/kernel/ids';
import type { Result } from '../../domain/kernel/result';
import { err } from '../../domain/kernel/result';
import type { ApiKey } from '../../domain/tenant/api-key';
import { isUsable } from '../../domain/tenant/api-key';
import type { Clock } from '../port/clock';
import type { Configuration } from '../port/configuration';
import type { IssuedKey, IssueKey } from './issue-key';
import type { RevokeKey } from './revoke-key';

export type RotateKeyDeps = Readonly<{
  configuration: Pick<Configuration, 'keysOf'>;
  issueKey: Pick<IssueKey, 'reissue'>;
  revokeKey: Pick<RevokeKey, 'execute'>;
  clock: Clock;
}>;

/** Replaces a key by one with the same name, rights, groups, limit and expiry. */
export class RotateKey {
  constructor(private readonly deps: RotateKeyDeps) {}

  async execute(tenant: TenantId, id: ApiKeyId, issuer: ApiKey): Promise<Result<IssuedKey, GatewayError>> {
    const { configuration, issueKey, revokeKey, clock } = this.deps;
    const old = configuration.keysOf(tenant).find((candidate) => candidate.id === id);
    if (old === undefined) return err({ code: 'not_found', message: `There is no key '${id}'.` });
    if (!isUsable(old, clock.nowMs())) return err(nothingToRotate(id));

    const issued = await issueKey.reissue(old, issuer);
    // In this order a failure in between leaves two keys that work, never none.
    if (issued.ok) await revokeKey.execute(tenant, id);
    return issued;
  }
}

function nothingToRotate(id: ApiKeyId): GatewayError {
  return {
    code: 'conflict',
    message: `The key '${id}' is revoked or expired; issue a new one.`,
    param: 'key_id',
  };
}
