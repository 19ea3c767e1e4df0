import { contractMismatch } from '../catalog/contract';
import { failedCheckOf } from '../catalog/failed-check';
import type { RequestNeeds } from '../catalog/request-needs';
import type { Route } from '../catalog/route';
import { admits } from '../health/provider-health';
import type { Conditions, RouteCondition } from '../health/provider-health';
import { isThrottled } from '../health/throttle';
import { worstAttemptCost } from '../interaction/worst-attempt-cost';
import { classesTo } from '../pii/pii-rule';
import { foundAmong } from '../pii/pii-scan';
import type { PiiScan } from '../pii/pii-scan';
import { exclusionOf, isRegionAllowed } from '../tenant/eligibility';
import { mayUseGroup } from '../tenant/tenant';
import type { Tenant } from '../tenant/tenant';
import { judgeCost, overCeiling } from './cost-ceiling';
import type { PlannedRoute } from './planned-route';
import type { PolicySettings } from './policy-settings';
import type { Refusal, RefusalDetail } from './refusal';
import { isSameTarget } from './target';
import type { Target } from './target';

/** A route with its place in the plan, before the gates have judged it. */
export type Candidate = Omit<PlannedRoute, 'refusal'>;

/** What the gates know that doesn't change while a request runs. */
export type GateContext = Readonly<{
  tenant: Tenant;
  /** Channel groups of the caller's key; empty: every group. */
  keyGroups: readonly string[];
  needs: RequestNeeds;
  /** What the request holds; null: nobody has a rule about it. */
  pii: PiiScan | null;
  settings: PolicySettings;
  /** What fallbacks are measured against; null: the primary has no route at all. */
  primary: Route | null;
  /** What the policy lists to fall back to; what it doesn't list is no failover target. */
  failoverTargets: readonly Target[];
  nowMs: number;
}>;

/** What a price is measured against. */
export type CeilingContext = Pick<GateContext, 'primary' | 'settings'>;

type Gate = (candidate: Candidate, context: GateContext) => RefusalDetail | null;

/** What the tenant's rules and the request ask of any route. */
const ROUTE_GATES: readonly Gate[] = [
  notExcluded,
  inUsableGroup,
  inAllowedRegion,
  letsPiiThrough,
  meetsContract,
];

/**
 * The gates of DESIGN §5 whose verdict holds for the whole request, in their order: an operator's switch comes last, so
 * that it hides no rule of the tenant's. Those that change meanwhile are in `refusalNow`.
 */
const GATES: readonly Gate[] = [optedIn, ...ROUTE_GATES, affordable, payable, enabled];
const PRIMARY_GATES: readonly Gate[] = [...ROUTE_GATES, payable, enabled];

/** The first gate that refuses the route for as long as the request runs; null: none does. */
export function permanentRefusal(candidate: Candidate, context: GateContext): Refusal | null {
  return firstRefusal(GATES, candidate, context);
}

/** Whether the route could be a primary: all gates but those that compare it with one. */
export function ineligibility(candidate: Candidate, context: GateContext): Refusal | null {
  return firstRefusal(PRIMARY_GATES, candidate, context);
}

/**
 * Whether the route may be taken at this moment: its permanent refusal, else the operator's switch, else the pace of its
 * group, else what its health says. A half-open circuit with a free trial slot passes. Judged again before every hop. The
 * switch goes first here: no wait for a group, a throttle or a circuit gives back what was switched off meanwhile.
 */
export function refusalNow(candidate: PlannedRoute, conditions: Conditions): Refusal | null {
  if (candidate.refusal !== null) return candidate.refusal;
  if (!conditions.isEnabled(candidate.route.id)) return refusalOf(candidate.route, { reason: 'disabled' });
  const condition = conditions.conditionOf(candidate.route.id);
  const detail =
    groupAdmits(candidate, conditions) ??
    circuitAdmits(condition) ??
    notThrottled(condition, conditions.nowMs);
  return detail === null ? null : refusalOf(candidate.route, detail);
}

/**
 * What a candidate costs now may be over the ceiling even if it wasn't when the plan was made: prices are the operator's to
 * change, and a hop is judged by those that hold when it is made (DESIGN §5).
 */
export function ceilingRefusal(candidate: PlannedRoute, context: CeilingContext): Refusal | null {
  const detail = affordable(candidate, context);
  return detail === null ? null : refusalOf(candidate.route, detail);
}

/** The refusal of a route, for whatever reason. */
export function refusalOf(route: Route, detail: RefusalDetail): Refusal {
  const { id, provider, channel, model } = route;
  return { route: { id, provider, channel: channel.id, model }, detail };
}

function firstRefusal(gates: readonly Gate[], candidate: Candidate, context: GateContext): Refusal | null {
  for (const gate of gates) {
    const detail = gate(candidate, context);
    if (detail !== null) return refusalOf(candidate.route, detail);
  }
  return null;
}

function optedIn(candidate: Candidate, context: GateContext): RefusalDetail | null {
  if (!candidate.failover) return null;
  if (!context.failoverTargets.some((target) => isSameTarget(target, candidate.route))) {
    return { reason: 'not_opted_in', missing: 'policy' };
  }
  if (!context.tenant.features.failover) return { reason: 'not_opted_in', missing: 'tenant_feature' };
  return context.settings.failoverOn.length === 0 ? { reason: 'not_opted_in', missing: 'failover_on' } : null;
}

function notExcluded({ route }: Candidate, { tenant, nowMs }: GateContext): RefusalDetail | null {
  const verdict = exclusionOf(tenant.eligibility, route, nowMs);
  return verdict === null ? null : { reason: 'tenant_excluded', ...verdict };
}

function inUsableGroup({ route }: Candidate, { keyGroups, tenant }: GateContext): RefusalDetail | null {
  const { group } = route.channel;
  if (!mayUseGroup(tenant, group)) return outOfBounds('tenant', group);
  return keyGroups.length === 0 || keyGroups.includes(group) ? null : outOfBounds('key', group);
}

function outOfBounds(whose: 'tenant' | 'key', group: string): RefusalDetail {
  const note = `the ${whose} may not use the channel group "${group}"`;
  return { reason: 'tenant_excluded', note, untilMs: null };
}

function inAllowedRegion({ route }: Candidate, { tenant }: GateContext): RefusalDetail | null {
  const { allowedRegions } = tenant.eligibility;
  const { region } = route.channel;
  if (isRegionAllowed(allowedRegions, region)) return null;
  return { reason: 'data_residency', region, allowedRegions: allowedRegions ?? [] };
}

/** Under the rule of this route's own provider, whatever others may get (DESIGN §5). What it redacts doesn't go there. */
function letsPiiThrough({ route }: Candidate, { pii, tenant }: GateContext): RefusalDetail | null {
  const rules = tenant.eligibility.pii;
  if (pii === null || rules == null) return null;
  const classes = foundAmong(pii, classesTo('block', rules, route.provider));
  return classes.length === 0 ? null : { reason: 'pii_policy', classes };
}

function meetsContract({ route }: Candidate, { needs }: GateContext): RefusalDetail | null {
  const mismatch = contractMismatch(needs, route.contract) ?? failedCheckOf(needs, route.failedChecks ?? []);
  return mismatch === null ? null : { reason: 'contract_mismatch', ...mismatch };
}

/**
 * Nobody opted in to another channel of the same provider, so nobody may have priced it: there only known prices are
 * compared. Everywhere else an unknown price is refused, and never taken as zero.
 */
function affordable(candidate: Candidate, { primary, settings }: CeilingContext): RefusalDetail | null {
  if (candidate.relation === 'primary') return null;
  const [base, price] = [primary?.price ?? null, candidate.route.price];
  const ceiling = settings.maxFallbackCostMultiplier;
  if (candidate.failover) return judgeCost(base, price, ceiling);
  return base === null || price === null ? null : overCeiling(base, price, ceiling);
}

/** From a wallet only what has a worst case can be paid: unknown is never zero, and nothing could be reserved. */
function payable({ route }: Candidate, { tenant, needs }: GateContext): RefusalDetail | null {
  if (tenant.wallet !== true) return null;
  const worst = worstAttemptCost(route, { needs, choices: 1 });
  if (typeof worst === 'number') return null;
  return { reason: 'cost_unknown', of: worst === 'price_unknown' ? 'price' : 'output_limit' };
}

function enabled({ route }: Candidate): RefusalDetail | null {
  return route.enabled ? null : { reason: 'disabled' };
}

function groupAdmits({ route }: PlannedRoute, { fullGroups, nowMs }: Conditions): RefusalDetail | null {
  const { group } = route.channel;
  const untilMs = fullGroups.get(group);
  if (untilMs === undefined || untilMs <= nowMs) return null;
  return { reason: 'group_rpm', group, retryAfterMs: untilMs - nowMs };
}

function circuitAdmits({ circuit }: RouteCondition): RefusalDetail | null {
  if (admits(circuit)) return null;
  return { reason: 'circuit_open', untilMs: circuit.state === 'open' ? circuit.untilMs : null };
}

function notThrottled({ throttledUntilMs }: RouteCondition, nowMs: number): RefusalDetail | null {
  return isThrottled(throttledUntilMs, nowMs) ? { reason: 'throttled', untilMs: throttledUntilMs } : null;
}
