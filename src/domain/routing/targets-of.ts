import type { Model } from '../catalog/model';
import type { Route } from '../catalog/route';
import { canaryTarget, placeOf } from './canary';
import type { CanaryCaller } from './canary';
import type { PolicyVersion } from './policy-version';
import { isSameTarget } from './target';
import type { Target } from './target';

/** What a request may be sent to, before any gate has judged it. */
export type Targets = Readonly<{
  /** `fixed`: the first target is the primary. `ordered`: the strategy decides which one is. */
  primary: 'fixed' | 'ordered';
  /** In listed order, without repetition. */
  all: readonly Target[];
  /** The first target is a canary that this request was drawn for. */
  canary: boolean;
}>;

/**
 * With a policy: its canary for the requests that it draws, its primary, its fallbacks. A policy that lists no fallback
 * allows no failover, so a canary has nothing behind it there, not even the primary. Null: the policy names no target.
 */
export function targetsOfPolicy({ name, policy }: PolicyVersion, caller: CanaryCaller): Targets | null {
  const { primary, fallbacks, canary } = policy;
  const listed = primary === null ? fallbacks : [primary, ...fallbacks];
  const drawn = canary === null ? null : canaryTarget(canary, placeOf(canary.stickyBy, caller, name));
  if (drawn !== null) {
    const behind = fallbacks.length === 0 ? [] : listed.filter((target) => !isSameTarget(target, drawn));
    return { primary: 'fixed', all: [drawn, ...behind], canary: true };
  }
  if (listed.length === 0) return null;
  return { primary: primary === null ? 'ordered' : 'fixed', all: listed, canary: false };
}

/**
 * With no target named anywhere: the model at its own provider, and nothing else (DESIGN §4). If its maker doesn't offer
 * it here, the provider of the channel that would go first.
 */
export function targetsOfModel(model: Model, routes: readonly Route[]): Targets {
  const ownProvider = routes.some((route) => route.provider === model.provider);
  const provider = ownProvider ? model.provider : (routes[0]?.provider ?? model.provider);
  return { primary: 'fixed', all: [{ provider, model: model.name }], canary: false };
}
