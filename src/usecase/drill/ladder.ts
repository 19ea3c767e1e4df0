import { resolveModelName, routesOf } from '../../domain/catalog/catalog';
import type { Route } from '../../domain/catalog/route';
import type { Target } from '../../domain/routing/target';
import type { Setting } from '../port/rehearsal-stage';
import { affordable, permitted, type Ask, type Barrier } from './barrier';

/** One route that the policy could lead to. */
export type Rung = Readonly<{
  route: Route;
  /** What an attempt is called that comes here from another rung; the first attempt on `primary` is the initial one. */
  role: 'primary' | 'channel_fallback' | 'model_fallback';
  /** Another provider or another model. */
  failover: boolean;
  /** Why nothing may be sent there; null: nothing stands against it. */
  barrier: Barrier | null;
}>;

/**
 * The routes of a policy from the first to the last, worked out from DESIGN §4 and §5 alone. A drill must not ask the
 * planner what to expect: the two would be wrong together.
 */
export function ladderOf(setting: Setting, ask: Ask): readonly Rung[] {
  const [first, ...others] = steps(setting, ask);
  if (first === undefined) return [];
  const primary = first.routes.find((route) => permitted(route, setting, ask) === null) ?? first.routes[0];
  const rung = (route: Route, role: Rung['role'], failover: boolean): Rung => ({
    route,
    role,
    failover,
    barrier: barrierOf({ route, role, failover }, primary, setting, ask),
  });
  const channels = first.routes.map((route) =>
    rung(route, route === primary ? 'primary' : 'channel_fallback', false),
  );
  const fallbacks = inStrategyOrder(others, setting).flatMap(({ target, routes }) =>
    routes.map((route) =>
      rung(route, target.model === first.target.model ? 'channel_fallback' : 'model_fallback', true),
    ),
  );
  return [...channels, ...fallbacks];
}

function barrierOf(
  rung: Omit<Rung, 'barrier'>,
  primary: Route | undefined,
  setting: Setting,
  ask: Ask,
): Barrier | null {
  const { failoverOn, maxFallbackCostMultiplier } = setting.policy.policy.settings;
  const optedIn = setting.tenant.features.failover && failoverOn.length > 0;
  if (rung.failover && !optedIn) return 'not_opted_in';
  const refused = permitted(rung.route, setting, ask);
  if (refused !== null && refused !== 'disabled') return refused;
  const dear = rung.role !== 'primary' && !affordable(rung, primary, maxFallbackCostMultiplier);
  return dear ? 'cost' : refused;
}

type Step = Readonly<{ target: Target; routes: readonly Route[]; servable: boolean }>;

/** The targets with their channels; where the strategy chooses the primary, what can serve goes before what can't. */
function steps(setting: Setting, ask: Ask): readonly Step[] {
  const { primary } = setting.policy.policy;
  const listed = targetsOf(setting).map((target) => {
    const atTarget = routesOf(setting.catalog, target.model).filter(
      ({ provider }) => provider === target.provider,
    );
    const routes = inChannelOrder(atTarget, setting);
    return { target, routes, servable: routes.some((route) => permitted(route, setting, ask) === null) };
  });
  return primary === null ? inStrategyOrder(listed, setting) : listed;
}

/** A policy that names none leaves the request with its model, at the provider who makes it. */
function targetsOf({ policy, catalog, requestedModel }: Setting): readonly Target[] {
  const { primary, fallbacks } = policy.policy;
  if (primary !== null) return [primary, ...fallbacks];
  if (fallbacks.length > 0) return fallbacks;
  const model = resolveModelName(catalog, requestedModel);
  return model === undefined ? [] : [{ provider: model.provider, model: model.name }];
}

/** DESIGN §4: group, channel priority, price. The drill's key names no group, so the tenant's order of them holds. */
function inChannelOrder(routes: readonly Route[], { tenant }: Setting): readonly Route[] {
  const rank = ({ channel }: Route): number =>
    tenant.groups?.findIndex(({ name }) => name === channel.group) ?? 0;
  return routes.toSorted(
    (one, other) =>
      rank(one) - rank(other) ||
      one.channel.priority - other.channel.priority ||
      priceOf(one) - priceOf(other),
  );
}

/** Nothing was observed before a drill, so `latency` keeps the listed order, as `priority` does. */
function inStrategyOrder(listed: readonly Step[], { policy }: Setting): readonly Step[] {
  const byCost = policy.policy.strategy === 'cost';
  return listed.toSorted(
    (one, other) =>
      Number(other.servable) - Number(one.servable) || (byCost ? cheapest(one) - cheapest(other) : 0),
  );
}

function cheapest({ routes }: Step): number {
  return Math.min(UNKNOWN_PRICE, ...routes.map(priceOf));
}

/** An unknown price goes last. Finite, so that two unknown ones are equal. */
const UNKNOWN_PRICE = Number.MAX_SAFE_INTEGER;

function priceOf({ price }: Route): number {
  return price === null ? UNKNOWN_PRICE : price.input + price.output;
}
