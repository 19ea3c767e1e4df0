import * as fc from 'fast-check';
import { inChannelOrder, inGroupOrder } from '../../../src/domain/routing/channel-order';
import type { GroupOrder } from '../../../src/domain/routing/channel-order';
import { STRATEGY_NAMES } from '../../../src/domain/routing/strategy-name';
import { aChannel, aPrice, aRoute, aTenant, conditions } from '../../support/sample-catalog';

const at = (id: string, group: string, priority: number, input: number | null) =>
  aRoute({ id, channel: aChannel({ group, priority }), price: input === null ? null : aPrice(input, 0) });

describe('channel order', () => {
  it.each([
    {
      name: "the key's group order first",
      routes: [at('a', 'std', 0, 1), at('b', 'vip', 9, 9)],
      groups: ['vip', 'std'],
      order: ['b', 'a'],
    },
    {
      name: 'groups that the key does not name last',
      routes: [at('a', 'x', 0, 1), at('b', 'std', 9, 9)],
      groups: ['std'],
      order: ['b', 'a'],
    },
    {
      name: 'then channel priority, the lower first',
      routes: [at('a', 'std', 2, 1), at('b', 'std', 1, 9)],
      groups: ['std'],
      order: ['b', 'a'],
    },
    {
      name: 'then price',
      routes: [at('a', 'std', 1, 9), at('b', 'std', 1, 1)],
      groups: [],
      order: ['b', 'a'],
    },
    {
      name: 'an unknown price last',
      routes: [at('a', 'std', 1, null), at('b', 'std', 1, 9), at('c', 'std', 1, null)],
      groups: [],
      order: ['b', 'a', 'c'],
    },
    {
      name: 'then registration',
      routes: [at('a', 'std', 1, 5), at('b', 'std', 1, 5)],
      groups: [],
      order: ['a', 'b'],
    },
    {
      name: 'all groups alike for a key that names none',
      routes: [at('a', 'x', 2, 1), at('b', 'y', 1, 1)],
      groups: [],
      order: ['b', 'a'],
    },
  ])('is $name', ({ routes, groups, order }) => {
    expect(inChannelOrder(routes, groups).map(({ id }) => id)).toEqual(order);
  });
});

const order = (given: Partial<GroupOrder>): GroupOrder => ({
  tenant: aTenant(),
  keyGroups: [],
  groupStrategy: null,
  conditions: conditions(),
  ...given,
});
const named = (...names: readonly string[]) =>
  aTenant({ groups: names.map((name) => ({ name, rpm: null })) });
const ALL = (): boolean => true;

describe('group order', () => {
  const routes = [
    at('cheap-2', 'cheap', 5, 10),
    at('fast-1', 'fast', 1, 30),
    at('cheap-1', 'cheap', 4, 20),
    at('fast-2', 'fast', 2, 25),
    at('plain', 'plain', 3, 15),
  ];
  const OPEN = { circuit: { state: 'open', untilMs: 2e6, trialTaken: false } as const };
  const SEEN = { 'cheap-1': { latencyMs: 900 }, 'fast-2': { latencyMs: 100 } };

  it.each<{ name: string; given: Partial<GroupOrder>; first: string; all?: string }>([
    {
      name: 'the chain of the key',
      given: { keyGroups: ['plain', 'cheap'], tenant: named('fast', 'cheap', 'plain') },
      first: 'plain',
      all: 'plain cheap-1 cheap-2 fast-1 fast-2',
    },
    {
      name: "the tenant's own where the key names none",
      given: { tenant: named('fast', 'cheap', 'plain') },
      first: 'fast-1',
      all: 'fast-1 fast-2 cheap-1 cheap-2 plain',
    },
    { name: 'no order of groups where nobody names any', given: {}, first: 'fast-1' },
    {
      name: 'cost: the group with the cheapest route, and within it as ever',
      given: { groupStrategy: 'cost' },
      first: 'cheap-1',
      all: 'cheap-1 cheap-2 plain fast-1 fast-2',
    },
    {
      name: 'cost, but healthy groups first',
      given: {
        groupStrategy: 'cost',
        conditions: conditions({ 'cheap-1': OPEN, 'cheap-2': OPEN }),
      },
      first: 'plain',
      all: 'plain fast-1 fast-2 cheap-1 cheap-2',
    },
    {
      name: 'latency: never-seen groups last',
      given: { groupStrategy: 'latency', conditions: conditions(SEEN) },
      first: 'fast-1',
      all: 'fast-1 fast-2 cheap-1 cheap-2 plain',
    },
    {
      name: "priority: the tenant's order",
      given: { groupStrategy: 'priority', tenant: named('plain', 'cheap', 'fast') },
      first: 'plain',
      all: 'plain cheap-1 cheap-2 fast-1 fast-2',
    },
    {
      name: 'priority without an order of the tenant: the group of the channel that goes first',
      given: { groupStrategy: 'priority' },
      first: 'fast-1',
      all: 'fast-1 fast-2 plain cheap-1 cheap-2',
    },
  ])('is $name', ({ given, first, all }) => {
    const ids = inGroupOrder(routes, order(given), ALL).map(({ id }) => id);

    expect(ids[0]).toBe(first);
    if (all !== undefined) expect(ids.join(' ')).toBe(all);
  });

  it('takes no notice of the price of routes that may not serve', () => {
    const isEligible = ({ id }: Readonly<{ id: string }>): boolean => !id.startsWith('cheap');

    const [first] = inGroupOrder(routes, order({ groupStrategy: 'cost' }), isEligible);

    expect(first?.id).toBe('plain');
  });

  it('keeps every route, and the routes of a group together', () => {
    const drawn = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(9), fc.nat(9)));
    fc.assert(
      fc.property(drawn, fc.constantFrom(...STRATEGY_NAMES), (rows, groupStrategy) => {
        const given = rows.map(([group, priority, input], index) => at(`r${index}`, group, priority, input));

        const ordered = inGroupOrder(given, order({ groupStrategy }), ALL);

        expect(new Set(ordered)).toEqual(new Set(given));
        const changes = ordered.filter(
          ({ channel }, index) => channel.group !== ordered[index - 1]?.channel.group,
        );
        expect(changes).toHaveLength(new Set(given.map(({ channel }) => channel.group)).size);
      }),
    );
  });
});
