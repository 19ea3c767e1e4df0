import { resolveModelName, type Catalog } from '../../domain/catalog/catalog';
import { indexPolicies, matchPolicy } from '../../domain/routing/match-policy';
import type { PolicyVersion } from '../../domain/routing/policy-version';
import { RoutingPolicy } from '../../domain/routing/routing-policy';
import type { Setting } from '../port/rehearsal-stage';

/** What is known of a tenant before its policies are rehearsed. */
export type TenantFacts = Omit<Setting, 'policy' | 'requestedModel'>;

/** One policy that will be rehearsed, as it is or with its canary in front. */
export type Entry = Readonly<{
  policy: string;
  version: number;
  /** `canary`: as a request sees it that was drawn for the canary. */
  side: 'stable' | 'canary';
  /** Null: no request reaches this policy, because others match more closely. */
  setting: Setting | null;
}>;

/** Every policy of the tenant; one with a canary twice, because a drill must not leave to chance which side it sees. */
export function programOf(facts: TenantFacts): readonly Entry[] {
  return facts.policies.flatMap((version) =>
    sidesOf(version).map(({ side, policy }) => {
      const rehearsed = { ...version, policy };
      const policies = facts.policies.map((other) => (other.name === version.name ? rehearsed : other));
      const requestedModel = reachingName(rehearsed, policies, facts.catalog);
      const setting =
        requestedModel === null ? null : { ...facts, policies, policy: rehearsed, requestedModel };
      return { policy: version.name, version: version.version, side, setting };
    }),
  );
}

type Side = Readonly<{ side: Entry['side']; policy: RoutingPolicy }>;

function sidesOf({ policy }: PolicyVersion): readonly Side[] {
  const data = policy.toData();
  const { canary, primary, fallbacks } = data;
  const stable: Side = { side: 'stable', policy: RoutingPolicy.restore({ ...data, canary: null }) };
  if (canary === null || canary.percent === 0) return [stable];
  const { target } = canary;
  const listed = primary === null ? fallbacks : [primary, ...fallbacks];
  // A policy that lists no fallback allows no failover, so a canary has nothing behind it there.
  const behind = listed.filter(
    ({ provider, model }) => provider !== target.provider || model !== target.model,
  );
  const drawn = { ...data, canary: null, primary: target, fallbacks: fallbacks.length === 0 ? [] : behind };
  return [stable, { side: 'canary', policy: RoutingPolicy.restore(drawn) }];
}

/** A model name for which this policy answers, and no other. */
function reachingName(
  { name, policy }: PolicyVersion,
  policies: readonly PolicyVersion[],
  catalog: Catalog,
): string | null {
  const namesTarget = policy.primary !== null || policy.fallbacks.length > 0;
  const index = indexPolicies(policies);
  const names = policy.match.flatMap((pattern) => namesFor(pattern, catalog));
  const reaches = (candidate: string): boolean => {
    const model = resolveModelName(catalog, candidate);
    if (model === undefined && !namesTarget) return false;
    return matchPolicy(index, candidate, model?.name ?? null)?.name === name;
  };
  return names.find(reaches) ?? null;
}

/** An exact pattern is a name; any other one stands for models of the catalog, and for a name that nobody has. */
function namesFor(pattern: string, catalog: Catalog): readonly string[] {
  if (!pattern.endsWith('*')) return [pattern];
  const prefix = pattern.slice(0, -1);
  const models = [...catalog.models.keys()].filter((model) => model.startsWith(prefix));
  return [...models, `${prefix}rehearsal`];
}
