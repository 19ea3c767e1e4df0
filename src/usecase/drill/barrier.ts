import type { Route } from '../../domain/catalog/route';
import type { Target } from '../../domain/routing/target';
import type { Setting } from '../port/rehearsal-stage';

/** What a request of a drill asks of a route. */
export type Ask = Readonly<{ stream: boolean; tools: boolean }>;

/** Why nothing may be sent to a route, in the order of DESIGN §5. Health is left out: every request finds fresh circuits. */
export type Barrier = 'not_opted_in' | 'excluded' | 'residency' | 'contract' | 'cost' | 'disabled';

/** What the tenant's rules, the request and the operator's switch say about a route; null: nothing against it. */
export function permitted(route: Route, setting: Setting, ask: Ask): Barrier | null {
  if (isExcluded(route, setting) || !isInGroup(route, setting)) return 'excluded';
  if (!isInRegion(route, setting)) return 'residency';
  const { contract } = route;
  if ((ask.stream && !contract.streaming) || (ask.tools && !contract.tools)) return 'contract';
  return route.enabled ? null : 'disabled';
}

/** An exclusion that has ended is none. */
function isExcluded(route: Route, { tenant, nowMs }: Setting): boolean {
  const { exclusions, allowList } = tenant.eligibility;
  const names = (rule: Readonly<{ provider: string; model: string | null }>): boolean =>
    rule.provider === route.provider && (rule.model === null || rule.model === route.model);
  const holds = (untilMs: number | null): boolean => untilMs === null || untilMs > nowMs;
  if (exclusions.some((exclusion) => names(exclusion) && holds(exclusion.untilMs))) return true;
  return allowList !== null && !allowList.some(names);
}

function isInGroup(route: Route, { tenant }: Setting): boolean {
  return tenant.groups === null || tenant.groups.some(({ name }) => name === route.channel.group);
}

/** `eu` and `eu-*` are the region `eu` and all within it. */
function isInRegion(route: Route, { tenant }: Setting): boolean {
  const { allowedRegions } = tenant.eligibility;
  if (allowedRegions === null) return true;
  const place = route.channel.region.toLowerCase();
  return allowedRegions.some((pattern) => {
    const region = pattern.toLowerCase().replace(/-?\*$/, '');
    return pattern === '*' || (region !== '' && (place === region || place.startsWith(`${region}-`)));
  });
}

/** The ceiling counts six decimals; in whole numbers, 1.15 × 100 is 115. */
const SCALE = 1_000_000;

/** Whether a fallback costs at most the ceiling times the primary, input and output each; an unknown price is no price. */
export function affordable(
  { route, failover }: Readonly<{ route: Route; failover: boolean }>,
  primary: Route | undefined,
  ceiling: number,
): boolean {
  const base = primary?.price ?? null;
  // A channel of the same provider needs no opt-in, and no known price either.
  if (base === null || route.price === null) return !failover;
  const scaled = Math.round(ceiling * SCALE);
  const { input, output } = route.price;
  return input * SCALE <= base.input * scaled && output * SCALE <= base.output * scaled;
}

/** How many times as dear a route is as another, the larger of both ratios; null: nothing to compare. */
export function priceRatio(dear: Route, base: Route): number | null {
  if (dear.price === null || base.price === null) return null;
  if (base.price.input === 0 || base.price.output === 0) return null;
  return Math.max(dear.price.input / base.price.input, dear.price.output / base.price.output);
}

export function nameOf({ model, provider }: Target): string {
  return `${model} at ${provider}`;
}
