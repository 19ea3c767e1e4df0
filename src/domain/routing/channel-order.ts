import type { Route } from '../catalog/route';
import { unitCostOf } from '../health/provider-health';

/**
 * The order of the channels within a target (DESIGN §4): the key's group order, then channel priority, then price,
 * unknown ones last, then registration. Groups that the key doesn't name go last; the gates refuse them.
 */
export function inChannelOrder(routes: readonly Route[], keyGroups: readonly string[]): readonly Route[] {
  return routes.toSorted(
    (one, other) =>
      groupRank(one, keyGroups) - groupRank(other, keyGroups) ||
      one.channel.priority - other.channel.priority ||
      byPrice(unitCostOf(one), unitCostOf(other)),
  );
}

function groupRank(route: Route, keyGroups: readonly string[]): number {
  const rank = keyGroups.indexOf(route.channel.group);
  return rank === -1 ? keyGroups.length : rank;
}

function byPrice(one: number | null, other: number | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one - other;
}
