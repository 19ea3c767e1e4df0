import type { GatewayError } from '../../domain/error/gateway-error';
import type { TenantId } from '../../domain/kernel/ids';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { PolicyVersion } from '../../domain/routing/policy-version';
import type { Configuration } from '../port/configuration';
import type { PolicyStore } from '../port/policy-store';
import { noSuchPolicy } from './policy-precondition';

export type ReadPoliciesDeps = Readonly<{
  configuration: Pick<Configuration, 'policiesOf'>;
  policies: Pick<PolicyStore, 'versions'>;
}>;

/** A tenant's routing policies, as they are and as they were. */
export class ReadPolicies {
  constructor(private readonly deps: ReadPoliciesDeps) {}

  /** The current versions, by name. */
  all(tenant: TenantId): readonly PolicyVersion[] {
    return [...this.deps.configuration.policiesOf(tenant).values()].sort((a, b) =>
      a.name < b.name ? -1 : 1,
    );
  }

  one(tenant: TenantId, name: string): Result<PolicyVersion, GatewayError> {
    const current = this.deps.configuration.policiesOf(tenant).get(name);
    return current === undefined ? err(noSuchPolicy(name)) : ok(current);
  }

  /** Newest first; those of a removed policy can still be read. */
  async versions(tenant: TenantId, name: string): Promise<Result<readonly PolicyVersion[], GatewayError>> {
    const versions = await this.deps.policies.versions(tenant, name);
    return versions.length === 0 ? err(noSuchPolicy(name)) : ok(versions);
  }
}
