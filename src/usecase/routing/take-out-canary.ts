import type { Canary } from '../../domain/routing/canary';
import type { PolicyVersion } from '../../domain/routing/policy-version';
import { RoutingPolicy } from '../../domain/routing/routing-policy';
import type { Clock } from '../port/clock';
import type { Configuration } from '../port/configuration';
import type { PolicyStore } from '../port/policy-store';
import type { PolicyAddress } from './append-version';

export type TakeOutCanaryDeps = Readonly<{
  configuration: Pick<Configuration, 'policiesOf'>;
  policies: Pick<PolicyStore, 'append' | 'versions'>;
  clock: Clock;
}>;

/** Whether the canary of the version that is current now is the one to be taken out. */
export type IsMeant = (canary: Canary, current: PolicyVersion) => boolean;

export type CanaryTakenOut =
  | Readonly<{ kind: 'taken_out'; version: PolicyVersion }>
  /** There is no such canary (any more): nothing was written. */
  | Readonly<{ kind: 'nothing' }>
  /** Others wrote every time. */
  | Readonly<{ kind: 'contended' }>;

/** Who writes the same policy at the same moment more often than this is at war with us. */
const MAX_LOOKS = 5;

/**
 * Writes the current version again without its canary. Whoever wrote meanwhile is never overwritten: then the version
 * that he wrote is looked at anew, and loses its canary only if that is meant as well.
 */
export async function takeOutCanary(
  { configuration, policies, clock }: TakeOutCanaryDeps,
  { tenant, name, by }: PolicyAddress,
  isMeant: IsMeant,
): Promise<CanaryTakenOut> {
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const [current] = await policies.versions(tenant, name);
    const canary = current?.policy.canary ?? null;
    // The versions of a removed policy are still there; a write would bring it back.
    const isRemoved = !configuration.policiesOf(tenant).has(name);
    if (current === undefined || canary === null || isRemoved || !isMeant(canary, current)) {
      return { kind: 'nothing' };
    }
    const version: PolicyVersion = {
      tenant,
      name,
      version: current.version + 1,
      policy: RoutingPolicy.restore({ ...current.policy.toData(), canary: null }),
      createdAtMs: clock.nowMs(),
      createdBy: by,
      restoredFrom: null,
    };
    if ((await policies.append(version)) === 'stored') return { kind: 'taken_out', version };
  }
  return { kind: 'contended' };
}
