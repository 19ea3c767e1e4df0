import type { GatewayError } from '../../domain/error/gateway-error';
import type { ApiKeyId, TenantId } from '../../domain/kernel/ids';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { PolicyVersion } from '../../domain/routing/policy-version';
import type { Configuration } from '../port/configuration';
import type { PolicyStore } from '../port/policy-store';
import { lostUpdate } from './policy-precondition';

/** Which policy is written, and by which key. */
export type PolicyAddress = Readonly<{ tenant: TenantId; name: string; by: ApiKeyId }>;

type Deps = Readonly<{
  configuration: Pick<Configuration, 'policiesOf'>;
  policies: Pick<PolicyStore, 'append' | 'versions'>;
}>;

type Content = Pick<PolicyVersion, 'policy' | 'restoredFrom' | 'createdAtMs'>;

/**
 * Stores the successor of the version that the writer has seen. Another replica may have written meanwhile: then the store
 * says so, and the writer is told rather than the other one overwritten. A removed policy goes on counting where it ended.
 */
export async function appendVersion(
  { configuration, policies }: Deps,
  { tenant, name, by }: PolicyAddress,
  content: Content,
): Promise<Result<PolicyVersion, GatewayError>> {
  const seen = configuration.policiesOf(tenant).get(name) ?? (await policies.versions(tenant, name))[0];
  const version: PolicyVersion = {
    ...content,
    tenant,
    name,
    version: (seen?.version ?? 0) + 1,
    createdBy: by,
  };
  if ((await policies.append(version)) === 'stored') return ok(version);

  const [newest] = await policies.versions(tenant, name);
  return err(lostUpdate(newest?.version ?? null));
}
