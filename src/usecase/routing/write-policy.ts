import type { GatewayError, Problem } from '../../domain/error/gateway-error';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import { checkAgainstCatalog } from '../../domain/routing/policy-against-catalog';
import type { PolicyVersion } from '../../domain/routing/policy-version';
import { RoutingPolicy } from '../../domain/routing/routing-policy';
import type { RoutingPolicyInput } from '../../domain/routing/routing-policy';
import type { Clock } from '../port/clock';
import type { Configuration } from '../port/configuration';
import type { PolicyStore } from '../port/policy-store';
import { appendVersion } from './append-version';
import type { PolicyAddress } from './append-version';
import type { PolicyPrecondition } from './policy-precondition';
import { preconditionFault } from './policy-precondition';

export type WritePolicyDeps = Readonly<{
  configuration: Pick<Configuration, 'tenant' | 'catalog' | 'policiesOf'>;
  policies: Pick<PolicyStore, 'append' | 'versions'>;
  clock: Clock;
}>;

export type WrittenPolicy = Readonly<{
  version: PolicyVersion;
  /** What can't work today but could become right later. */
  warnings: readonly Problem[];
}>;

/** Makes a policy, or a new version of one. What can't work is refused with every problem at once. */
export class WritePolicy {
  constructor(private readonly deps: WritePolicyDeps) {}

  async execute(
    address: PolicyAddress,
    input: RoutingPolicyInput,
    precondition: PolicyPrecondition,
  ): Promise<Result<WrittenPolicy, GatewayError>> {
    const { configuration, clock } = this.deps;
    const tenant = configuration.tenant(address.tenant);
    if (tenant === undefined)
      return err({ code: 'not_found', message: `There is no tenant '${address.tenant}'.` });
    const fault = preconditionFault(precondition, configuration.policiesOf(address.tenant).get(address.name));
    if (fault !== null) return err(fault);

    const policy = RoutingPolicy.create(input);
    if (!policy.ok) return err({ code: 'unprocessable', problems: policy.error });
    const nowMs = clock.nowMs();
    const { problems, warnings } = checkAgainstCatalog(policy.value, configuration.catalog(), tenant, nowMs);
    if (problems.length > 0) return err({ code: 'unprocessable', problems });

    const content = { policy: policy.value, restoredFrom: null, createdAtMs: nowMs };
    const version = await appendVersion(this.deps, address, content);
    return version.ok ? ok({ version: version.value, warnings }) : version;
  }
}
