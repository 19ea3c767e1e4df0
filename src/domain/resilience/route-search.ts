import type { Conditions } from '../health/provider-health';
import { ceilingRefusal, refusalNow, refusalOf } from '../routing/gates';
import type { PlannedRoute } from '../routing/planned-route';
import type { Refusal } from '../routing/refusal';
import { admissionOf, departureOf } from './departure';
import { counted, triedRoutes } from './situation';
import type { Situation } from './situation';

/** Which route can be taken now, and which ones can't. */
export type RouteSearch = Readonly<{
  /** The first candidate that nothing stands against; null: there is none. */
  found: PlannedRoute | null;
  /** Candidates that the fault would allow and a gate refuses: those before `found`, or all. */
  refused: readonly RefusedCandidate[];
}>;

export type RefusedCandidate = Readonly<{ candidate: PlannedRoute; refusal: Refusal }>;

const NOTHING: RouteSearch = { found: null, refused: [] };

/** Looks for the next route. Every gate is judged again with what is known now (DESIGN §5). */
export function searchRoute(situation: Situation): RouteSearch {
  const { plan, ledger, conditions } = situation;
  const tried = triedRoutes(ledger);
  if (!hasHopLeft(situation)) return NOTHING;
  const departure = departureOf(situation);
  const refused: RefusedCandidate[] = [];
  for (const planned of plan.candidates) {
    if (tried.has(planned.route.id)) continue;
    const candidate = pricedNow(planned, conditions);
    const admission = admissionOf(departure, candidate, plan.settings.failoverOn);
    if (admission === 'not_allowed') continue;
    const refusal =
      admission === 'not_opted_in'
        ? refusalOf(candidate.route, { reason: 'not_opted_in', missing: 'failover_on' })
        : (refusalNow(candidate, conditions) ?? ceilingNow(situation, planned, candidate));
    if (refusal === null) return { found: candidate, refused };
    refused.push({ candidate, refusal });
  }
  return { found: null, refused };
}

function pricedNow(planned: PlannedRoute, conditions: Conditions): PlannedRoute {
  const route = conditions.pricedNow(planned.route);
  return route === planned.route ? planned : { ...planned, route };
}

/** Where prices have changed since the plan was made; else they were judged with it. */
function ceilingNow(
  { plan, conditions }: Situation,
  planned: PlannedRoute,
  candidate: PlannedRoute,
): Refusal | null {
  const measured = plan.primary?.route ?? null;
  const primary = measured === null ? null : conditions.pricedNow(measured);
  if (candidate === planned && primary === measured) return null;
  return ceilingRefusal(candidate, { primary, settings: plan.settings });
}

/** Whether the policy lets one more route be tried. */
export function hasHopLeft({ plan, ledger }: Situation): boolean {
  return new Set(counted(ledger).map(({ route }) => route.id)).size < plan.settings.maxHops;
}

/** Whether an attempt on the route now takes the half-open circuit's trial slot. */
export function takesTrial(candidate: PlannedRoute, conditions: Conditions): boolean {
  return conditions.conditionOf(candidate.route.id).circuit.state !== 'closed';
}

/** Refusals that the price alone is the cause of. */
const BY_COST: readonly string[] = ['cost_ceiling', 'cost_unknown'];
/** Refusals of routes that were never possible for this tenant or this request. */
const NEVER_POSSIBLE: readonly string[] = [
  'not_opted_in',
  'tenant_excluded',
  'data_residency',
  'pii_policy',
  'contract_mismatch',
  'disabled',
];

/** Whether a fallback was wanted, some were possible, and the price is what stands against every one of them (DESIGN §5). */
export function isOverCeilingEverywhere({ found, refused }: RouteSearch): boolean {
  if (found !== null) return false;
  const possible = refused.filter(
    ({ candidate, refusal }) =>
      candidate.relation !== 'primary' && !NEVER_POSSIBLE.includes(refusal.detail.reason),
  );
  return possible.length > 0 && possible.every(({ refusal }) => BY_COST.includes(refusal.detail.reason));
}
