import type { GatewayError } from '../../domain/error/gateway-error';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import { checkAgainstCatalog } from '../../domain/routing/policy-against-catalog';
import type { PolicyVersion } from '../../domain/routing/policy-version';
import { appendVersion } from './append-version';
import type { PolicyAddress } from './append-version';
import type { PolicyPrecondition } from './policy-precondition';
import { noSuchPolicy, preconditionFault } from './policy-precondition';
import type { WritePolicyDeps, WrittenPolicy } from './write-policy';

/**
 * Brings an earlier version back as a new one, at once. It was valid when it was written: what today's catalog and prices
 * say against it becomes a warning, since somebody who rolls back in a hurry must not be stopped, and the gates still hold.
 */
export class RestorePolicy {
  constructor(private readonly deps: WritePolicyDeps) {}

  async execute(
    address: PolicyAddress,
    version: number,
    precondition: PolicyPrecondition,
  ): Promise<Result<WrittenPolicy, GatewayError>> {
    const { configuration, policies, clock } = this.deps;
    const { tenant: tenantId, name } = address;
    const tenant = configuration.tenant(tenantId);
    if (tenant === undefined) return err({ code: 'not_found', message: `There is no tenant '${tenantId}'.` });
    const versions = await policies.versions(tenantId, name);
    const earlier = versions.find((candidate) => candidate.version === version);
    if (earlier === undefined) return err(nothingToRestore(versions, name, version));
    const fault = preconditionFault(precondition, configuration.policiesOf(tenantId).get(name));
    if (fault !== null) return err(fault);

    const nowMs = clock.nowMs();
    const { problems, warnings } = checkAgainstCatalog(
      earlier.policy,
      configuration.catalog(),
      tenant,
      nowMs,
    );
    const content = { policy: earlier.policy, restoredFrom: version, createdAtMs: nowMs };
    const restored = await appendVersion(this.deps, address, content);
    return restored.ok ? ok({ version: restored.value, warnings: [...problems, ...warnings] }) : restored;
  }
}

function nothingToRestore(versions: readonly PolicyVersion[], name: string, version: number): GatewayError {
  if (versions.length === 0) return noSuchPolicy(name);
  const message = `there is no version ${version}; the newest is ${versions[0]?.version ?? 0}`;
  return { code: 'unprocessable', problems: [{ field: 'version', message }] };
}
