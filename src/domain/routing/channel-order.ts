import type { Route } from '../catalog/route';
import { providerHealthOf, unitCostOf } from '../health/provider-health';
import type { Conditions } from '../health/provider-health';
import type { Tenant } from '../tenant/tenant';
import { orderByStrategy } from './strategy';
import type { StrategyName } from './strategy-name';

/** What decides which channel group goes first. */
export type GroupOrder = Readonly<{
  tenant: Pick<Tenant, 'groups'>;
  /** Channel groups of the caller's key, in order of preference; empty: every group that its tenant may use. */
  keyGroups: readonly string[];
  /** Of a smart key: what orders the groups instead; null: they are in their listed order. */
  groupStrategy: StrategyName | null;
  conditions: Conditions;
}>;

/**
 * The order of the channels within a target (DESIGN §4): the groups of the key, or of its tenant where the key names none,
 * in their listed order; a smart key's as its strategy orders fallbacks. A group is worth what its eligible routes are.
 */
export function inGroupOrder(
  routes: readonly Route[],
  { tenant, keyGroups, groupStrategy, conditions }: GroupOrder,
  isEligible: (route: Route) => boolean,
): readonly Route[] {
  const listed = keyGroups.length > 0 ? keyGroups : (tenant.groups ?? []).map(({ name }) => name);
  const ordered = inChannelOrder(routes, listed);
  if (groupStrategy === null) return ordered;
  const groups = byGroup(ordered).map((members) => {
    const provider = members[0]?.provider ?? '';
    return { members, health: providerHealthOf(provider, members.filter(isEligible), conditions) };
  });
  return orderByStrategy(groups, groupStrategy).flatMap(({ members }) => members);
}

/**
 * Listed groups, then channel priority, then price, unknown ones last, then registration. Groups that aren't listed go
 * last; where some are listed, the gates refuse the others.
 */
export function inChannelOrder(routes: readonly Route[], groups: readonly string[]): readonly Route[] {
  return routes.toSorted(
    (one, other) =>
      groupRank(one, groups) - groupRank(other, groups) ||
      one.channel.priority - other.channel.priority ||
      byPrice(unitCostOf(one), unitCostOf(other)),
  );
}

/** The routes of each group, groups and routes in their given order. */
function byGroup(routes: readonly Route[]): readonly (readonly Route[])[] {
  const groups = new Map<string, Route[]>();
  for (const route of routes) {
    const members = groups.get(route.channel.group);
    if (members === undefined) groups.set(route.channel.group, [route]);
    else members.push(route);
  }
  return [...groups.values()];
}

function groupRank(route: Route, groups: readonly string[]): number {
  const rank = groups.indexOf(route.channel.group);
  return rank === -1 ? groups.length : rank;
}

function byPrice(one: number | null, other: number | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one - other;
}
