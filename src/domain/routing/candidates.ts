import { routesOf } from '../catalog/catalog';
import type { Catalog } from '../catalog/catalog';
import type { Route } from '../catalog/route';
import type { ChatRequest } from '../chat/chat-request';
import { providerHealthOf } from '../health/provider-health';
import type { ProviderHealth } from '../health/provider-health';
import type { PiiScan } from '../pii/pii-scan';
import type { Tenant } from '../tenant/tenant';
import { inGroupOrder } from './channel-order';
import type { GroupOrder } from './channel-order';
import { ineligibility, permanentRefusal, refusalOf } from './gates';
import type { GateContext } from './gates';
import type { PlannedRoute } from './planned-route';
import type { PolicySettings } from './policy-settings';
import type { Refusal } from './refusal';
import { orderByStrategy } from './strategy';
import type { StrategyName } from './strategy-name';
import { isSameTarget } from './target';
import type { Target } from './target';
import type { Targets } from './targets-of';

export type CandidateInput = GroupOrder &
  Readonly<{
    request: ChatRequest;
    tenant: Tenant;
    catalog: Catalog;
    targets: Targets;
    settings: PolicySettings;
    strategy: StrategyName;
    pii: PiiScan | null;
  }>;

export type Candidates = Readonly<{
  primary: PlannedRoute | null;
  candidates: readonly PlannedRoute[];
  /** Routes of the primary's model at providers that nothing lists: left out for want of an opt-in. */
  unlisted: readonly Refusal[];
}>;

/** A target with its channels, in their order, and with what is known of them at this moment. */
type TargetGroup = Readonly<{
  target: Target;
  routes: readonly Route[];
  /** Those of the routes that could serve the request. */
  eligible: readonly Route[];
  /** Of the eligible routes. */
  health: ProviderHealth;
}>;

/** The primary's channels and the fallbacks in the order in which they would be tried, judged by every lasting gate. */
export function candidatesOf(input: CandidateInput): Candidates {
  const routeContext = contextOf(input);
  const [first, ...others] = inTargetOrder(input, routeContext);
  if (first === undefined) return { primary: null, candidates: [], unlisted: [] };
  const primaryRoute = primaryRouteOf(first);
  const failoverTargets = others.map(({ target }) => target);
  const context = { ...routeContext, primary: primaryRoute, failoverTargets };

  const channels = first.routes.map((route) => {
    const relation = route === primaryRoute ? 'primary' : 'channel_fallback';
    return judged({ route, relation, failover: false }, context);
  });
  const fallbacks = orderByStrategy(others, input.strategy).flatMap(({ target, routes }) => {
    const relation = target.model === first.target.model ? 'channel_fallback' : 'model_fallback';
    return routes.map((route) => judged({ route, relation, failover: true }, context));
  });

  return {
    primary: channels.find(({ relation }) => relation === 'primary') ?? null,
    candidates: refusedLast([...channels, ...fallbacks]),
    unlisted: unlistedOf(first.target, input),
  };
}

/** Listed order; where the strategy chooses the primary, what can't serve at all goes behind what can. */
function inTargetOrder(input: CandidateInput, context: GateContext): readonly TargetGroup[] {
  const groups = input.targets.all.map((target) => groupOf(target, input, context));
  if (input.targets.primary === 'fixed') return groups;
  return orderByStrategy(groups, input.strategy).toSorted(
    (one, other) => Number(other.eligible.length > 0) - Number(one.eligible.length > 0),
  );
}

function groupOf(target: Target, input: CandidateInput, context: GateContext): TargetGroup {
  const isEligible = (route: Route): boolean =>
    ineligibility({ route, relation: 'primary', failover: false }, context) === null;
  const atTarget = routesOf(input.catalog, target.model).filter(
    ({ provider }) => provider === target.provider,
  );
  const routes = inGroupOrder(atTarget, input, isEligible);
  const eligible = routes.filter(isEligible);
  return { target, routes, eligible, health: providerHealthOf(target.provider, eligible, input.conditions) };
}

/** The channel that goes first among those that may serve; if none may, the first one, so that its refusal is told. */
function primaryRouteOf({ eligible, routes }: TargetGroup): Route | null {
  return eligible[0] ?? routes[0] ?? null;
}

/** What the gates know before there is a primary to compare with. */
function contextOf(input: CandidateInput): GateContext {
  const { tenant, keyGroups, settings, request, conditions, pii } = input;
  return {
    tenant,
    keyGroups,
    needs: request.needs,
    pii,
    settings,
    primary: null,
    failoverTargets: [],
    nowMs: conditions.nowMs,
  };
}

function judged(candidate: Omit<PlannedRoute, 'refusal'>, context: GateContext): PlannedRoute {
  return { ...candidate, refusal: permanentRefusal(candidate, context) };
}

function refusedLast(candidates: readonly PlannedRoute[]): readonly PlannedRoute[] {
  return candidates.toSorted((one, other) => Number(one.refusal !== null) - Number(other.refusal !== null));
}

function unlistedOf(primary: Target, { catalog, targets }: CandidateInput): readonly Refusal[] {
  return routesOf(catalog, primary.model)
    .filter((route) => !targets.all.some((target) => isSameTarget(target, route)))
    .map((route) => refusalOf(route, { reason: 'not_opted_in', missing: 'policy' }));
}
