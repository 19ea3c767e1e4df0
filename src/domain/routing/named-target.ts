import { routesOf } from '../catalog/catalog';
import type { Catalog } from '../catalog/catalog';
import type { Route } from '../catalog/route';
import type { RoutingPolicy } from './routing-policy';
import type { Target } from './target';

/** A target that a policy names, under its field in the API, with its routes in the catalog. */
export type NamedTarget = Readonly<{
  field: string;
  role: 'primary' | 'fallback' | 'canary';
  target: Target;
  routes: readonly Route[];
}>;

/** All targets of a policy in the order in which it lists them. */
export function namedTargetsOf(policy: RoutingPolicy, catalog: Catalog): readonly NamedTarget[] {
  const { primary, fallbacks, canary } = policy;
  const named = (field: string, role: NamedTarget['role'], target: Target): NamedTarget => {
    const routes = routesOf(catalog, target.model).filter(({ provider }) => provider === target.provider);
    return { field, role, target, routes };
  };
  return [
    ...(primary === null ? [] : [named('primary', 'primary', primary)]),
    ...fallbacks.map((target, index) => named(`fallbacks[${index}]`, 'fallback', target)),
    ...(canary === null ? [] : [named('canary.target', 'canary', canary.target)]),
  ];
}
