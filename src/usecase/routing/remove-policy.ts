import type { GatewayError } from '../../domain/error/gateway-error';
import type { TenantId } from '../../domain/kernel/ids';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { Configuration } from '../port/configuration';
import type { PolicyStore } from '../port/policy-store';
import type { PolicyPrecondition } from './policy-precondition';
import { lostUpdate, noSuchPolicy, preconditionFault } from './policy-precondition';

export type RemovePolicyDeps = Readonly<{
  configuration: Pick<Configuration, 'policiesOf'>;
  policies: Pick<PolicyStore, 'remove'>;
}>;

/** Ends a policy. Its versions stay, for the auditor and for a rollback. */
export class RemovePolicy {
  constructor(private readonly deps: RemovePolicyDeps) {}

  async execute(
    tenant: TenantId,
    name: string,
    precondition: PolicyPrecondition,
  ): Promise<Result<void, GatewayError>> {
    const { configuration, policies } = this.deps;
    const current = configuration.policiesOf(tenant).get(name);
    if (current === undefined) return err(noSuchPolicy(name));
    const fault = preconditionFault(precondition, current);
    if (fault !== null) return err(fault);

    const outcome = await policies.remove(tenant, name, current.version);
    if (outcome === 'removed') return ok(undefined);
    return err(lostUpdate(configuration.policiesOf(tenant).get(name)?.version ?? null));
  }
}
