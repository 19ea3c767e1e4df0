import { inChannelOrder } from '../../../src/domain/routing/channel-order';
import { aChannel, aPrice, aRoute } from '../../support/sample-catalog';

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
