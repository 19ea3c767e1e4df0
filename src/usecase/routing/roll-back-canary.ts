import type { GatewayError } from '../../domain/error/gateway-error';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import { checkAgainstCatalog } from '../../domain/routing/policy-against-catalog';
import type { PolicyAddress } from './append-version';
import type { PolicyPrecondition } from './policy-precondition';
import { lostUpdate, noSuchPolicy, preconditionFault } from './policy-precondition';
import { takeOutCanary } from './take-out-canary';
import type { WritePolicyDeps, WrittenPolicy } from './write-policy';

/** Takes a canary back at once, because somebody says so. Nothing in today's catalog holds it up. */
export class RollBackCanary {
  constructor(private readonly deps: WritePolicyDeps) {}

  async execute(
    address: PolicyAddress,
    precondition: PolicyPrecondition,
  ): Promise<Result<WrittenPolicy, GatewayError>> {
    const { configuration, clock } = this.deps;
    const tenant = configuration.tenant(address.tenant);
    const current = configuration.policiesOf(address.tenant).get(address.name);
    if (tenant === undefined || current === undefined) return err(noSuchPolicy(address.name));
    const fault = preconditionFault(precondition, current);
    if (fault !== null) return err(fault);

    const taken = await takeOutCanary(
      this.deps,
      address,
      (_canary, newest) => preconditionFault(precondition, newest) === null,
    );
    if (taken.kind === 'contended') return err(lostUpdate(null));
    if (taken.kind === 'nothing') return err(this.nothingToTakeOut(address, precondition));
    const { policy } = taken.version;
    const checked = checkAgainstCatalog(policy, configuration.catalog(), tenant, clock.nowMs());
    return ok({ version: taken.version, warnings: [...checked.problems, ...checked.warnings] });
  }

  /** Somebody else's write may have come in between. */
  private nothingToTakeOut({ tenant, name }: PolicyAddress, precondition: PolicyPrecondition): GatewayError {
    const current = this.deps.configuration.policiesOf(tenant).get(name);
    const message = `The routing policy '${name}' has no canary.`;
    return preconditionFault(precondition, current) ?? { code: 'conflict', message, param: null };
  }
}
