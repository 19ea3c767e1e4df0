import { orderByStrategy } from '../../../src/domain/routing/strategy';
import type { StrategyName } from '../../../src/domain/routing/strategy-name';

type Known = Readonly<{ healthy?: boolean; latencyMs?: number | null; costMicroUsd?: number | null }>;

function targets(known: Readonly<Record<string, Known>>) {
  return Object.entries(known).map(([provider, facts]) => ({
    health: { provider, healthy: true, latencyMs: null, costMicroUsd: null, ...facts },
  }));
}

describe('strategy', () => {
  it.each<{
    name: string;
    strategy: StrategyName;
    known: Readonly<Record<string, Known>>;
    order: readonly string[];
  }>([
    {
      name: 'priority keeps the listed order',
      strategy: 'priority',
      known: { a: { costMicroUsd: 9, latencyMs: 9 }, b: { costMicroUsd: 1, latencyMs: 1 } },
      order: ['a', 'b'],
    },
    {
      name: 'priority puts the healthy first',
      strategy: 'priority',
      known: { a: { healthy: false }, b: {}, c: { healthy: false }, d: {} },
      order: ['b', 'd', 'a', 'c'],
    },
    {
      name: 'cost puts the lowest price first',
      strategy: 'cost',
      known: { a: { costMicroUsd: 300 }, b: { costMicroUsd: 100 }, c: { costMicroUsd: 200 } },
      order: ['b', 'c', 'a'],
    },
    {
      name: 'cost puts the unknown price last, and the free first',
      strategy: 'cost',
      known: { a: {}, b: { costMicroUsd: 5 }, c: { costMicroUsd: 0 } },
      order: ['c', 'b', 'a'],
    },
    {
      name: 'cost keeps the listed order of equal prices',
      strategy: 'cost',
      known: { a: { costMicroUsd: 5 }, b: { costMicroUsd: 5 }, c: {}, d: {} },
      order: ['a', 'b', 'c', 'd'],
    },
    {
      name: 'cost puts the healthy before the cheap',
      strategy: 'cost',
      known: { a: { costMicroUsd: 1, healthy: false }, b: { costMicroUsd: 9 } },
      order: ['b', 'a'],
    },
    {
      name: 'latency puts the fastest first',
      strategy: 'latency',
      known: { a: { latencyMs: 900 }, b: { latencyMs: 20 }, c: { latencyMs: 300 } },
      order: ['b', 'c', 'a'],
    },
    {
      name: 'latency puts the never seen last',
      strategy: 'latency',
      known: { a: {}, b: { latencyMs: 9_000 } },
      order: ['b', 'a'],
    },
    {
      name: 'latency keeps the listed order of the never seen',
      strategy: 'latency',
      known: { a: {}, b: {}, c: { latencyMs: 1 } },
      order: ['c', 'a', 'b'],
    },
    {
      name: 'latency puts the healthy before the fast',
      strategy: 'latency',
      known: { a: { latencyMs: 1, healthy: false }, b: {} },
      order: ['b', 'a'],
    },
  ])('$name', ({ strategy, known, order }) => {
    expect(orderByStrategy(targets(known), strategy).map(({ health }) => health.provider)).toEqual(order);
  });
});
