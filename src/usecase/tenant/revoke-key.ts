import type { GatewayError } from '../../domain/error/gateway-error';
import type { ApiKeyId, TenantId } from '../../domain/kernel/ids';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { ApiKey } from '../../domain/tenant/api-key';
import type { Clock } from '../port/clock';
import type { Configuration } from '../port/configuration';
import type { TenantStore } from '../port/tenant-store';

export type RevokeKeyDeps = Readonly<{
  configuration: Pick<Configuration, 'keysOf'>;
  tenants: Pick<TenantStore, 'updateKey'>;
  clock: Clock;
}>;

/** Ends a key at once. A key that was revoked before keeps its first instant. */
export class RevokeKey {
  constructor(private readonly deps: RevokeKeyDeps) {}

  async execute(tenant: TenantId, id: ApiKeyId): Promise<Result<ApiKey, GatewayError>> {
    const { configuration, tenants, clock } = this.deps;
    const key = configuration.keysOf(tenant).find((candidate) => candidate.id === id);
    if (key === undefined) return err({ code: 'not_found', message: `There is no key '${id}'.` });
    if (key.revokedAtMs !== null) return ok(key);

    const revoked = { ...key, revokedAtMs: clock.nowMs() };
    await tenants.updateKey(revoked);
    return ok(revoked);
  }
}
