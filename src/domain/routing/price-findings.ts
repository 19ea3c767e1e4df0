import type { Price } from '../catalog/price';
import type { Route } from '../catalog/route';
import { unitCostOf } from '../health/provider-health';
import { inChannelOrder } from './channel-order';
import { overCeiling } from './cost-ceiling';
import type { NamedTarget } from './named-target';
import { problem, warning } from './policy-finding';
import type { Finding } from './policy-finding';
import type { CostCeilingDetail } from './refusal';
import type { RoutingPolicy } from './routing-policy';

/**
 * Measures what could be fallen back to against the primary, at today's prices. A canary is no fallback and is never
 * refused for its price, so there it is a warning only; so it is where the strategy chooses the primary request by request.
 */
export function priceFindings(policy: RoutingPolicy, targets: readonly NamedTarget[]): readonly Finding[] {
  const measured = targets.filter(({ role, routes }) => role !== 'primary' && routes.length > 0);
  if (measured.length === 0) return [];
  const base = basePriceOf(targets);
  if (base === null) return policy.fallbacks.length === 0 ? [] : [unknownBase(policy)];
  return measured.flatMap((named) => findingOf(named, base, policy));
}

/** The price of the primary's channel that goes first; with no primary, the lowest: any other target may follow it. */
function basePriceOf(targets: readonly NamedTarget[]): Price | null {
  const primary = targets.find(({ role }) => role === 'primary');
  if (primary !== undefined) return inChannelOrder(enabledFirst(primary.routes), [])[0]?.price ?? null;
  const priced = targets.flatMap(({ routes }) => routes).filter(({ price }) => price !== null);
  return priced.toSorted((one, other) => (unitCostOf(one) ?? 0) - (unitCostOf(other) ?? 0))[0]?.price ?? null;
}

function enabledFirst(routes: readonly Route[]): readonly Route[] {
  const enabled = routes.filter((route) => route.enabled);
  return enabled.length > 0 ? enabled : routes;
}

function unknownBase({ primary }: RoutingPolicy): Finding {
  const field = primary === null ? 'fallbacks' : 'primary';
  return warning(
    field,
    'without a known price, so every fallback is refused as cost_unknown until there is one',
  );
}

/** A target is refused only if each of its routes is. */
function findingOf(named: NamedTarget, base: Price, policy: RoutingPolicy): readonly Finding[] {
  const ceiling = policy.settings.maxFallbackCostMultiplier;
  const prices = named.routes.map(({ price }) => price).filter((price) => price !== null);
  if (prices.length === 0) {
    return named.role === 'canary'
      ? []
      : [warning(named.field, 'without a known price: refused as cost_unknown')];
  }
  const details = prices.map((price) => overCeiling(base, price, ceiling));
  const over = details.filter((detail) => detail !== null);
  const [mildest] = over.toSorted((one, other) => (one.ratio ?? Infinity) - (other.ratio ?? Infinity));
  if (mildest === undefined || over.length < details.length) return [];
  const isCertain = named.role === 'fallback' && policy.primary !== null;
  return [isCertain ? problem(named.field, messageOf(mildest)) : warning(named.field, messageOf(mildest))];
}

function messageOf({ ratio, ceiling, primaryPrice, fallbackPrice }: CostCeilingDetail): string {
  const times =
    ratio === null ? 'is not free as the primary is' : `costs ${shown(ratio)} times as much as the primary`;
  const prices =
    `input ${fallbackPrice.input} against ${primaryPrice.input}, ` +
    `output ${fallbackPrice.output} against ${primaryPrice.output} micro-USD per million tokens`;
  return `${times}, over max_fallback_cost_multiplier ${ceiling}: ${prices}`;
}

/** Six digits tell a ratio apart from any ceiling that a person would set. */
function shown(ratio: number): number {
  return Number(ratio.toPrecision(6));
}
