import { admits, isHealthy, providerHealthOf, unitCostOf } from '../../../src/domain/health/provider-health';
import type { CircuitView } from '../../../src/domain/health/provider-health';
import { aPrice, aRoute, conditions } from '../../support/sample-catalog';

const OPEN: CircuitView = { state: 'open', untilMs: 1_060_000, trialTaken: false };

describe('provider health', () => {
  it.each<{ name: string; circuit: CircuitView; expected: boolean }>([
    { name: 'closed', circuit: { state: 'closed' }, expected: true },
    {
      name: 'half-open with a free slot',
      circuit: { state: 'half_open', trialTaken: false },
      expected: true,
    },
    {
      name: 'half-open with the trial taken',
      circuit: { state: 'half_open', trialTaken: true },
      expected: false,
    },
    { name: 'open', circuit: OPEN, expected: false },
  ])('a circuit $name admits: $expected', ({ circuit, expected }) => {
    expect(admits(circuit)).toBe(expected);
  });

  it.each([
    { name: 'fresh', route: {}, condition: {}, expected: true },
    { name: 'disabled', route: { enabled: false }, condition: {}, expected: false },
    { name: 'with an open circuit', route: {}, condition: { circuit: OPEN }, expected: false },
    {
      name: 'throttled for a millisecond more',
      route: {},
      condition: { throttledUntilMs: 1_000_001 },
      expected: false,
    },
    { name: 'no longer throttled', route: {}, condition: { throttledUntilMs: 1_000_000 }, expected: true },
  ])('a route that is $name is healthy: $expected', ({ route, condition, expected }) => {
    expect(isHealthy(aRoute(route), conditions({ off: condition }))).toBe(expected);
  });

  it('speaks of the healthy routes only while there are any', () => {
    const routes = [
      aRoute({ id: 'cheap-but-open', price: aPrice(1, 1) }),
      aRoute({ id: 'slow', price: aPrice(100, 200) }),
      aRoute({ id: 'unseen', price: null }),
    ];
    const now = conditions({ 'cheap-but-open': { circuit: OPEN, latencyMs: 5 }, slow: { latencyMs: 800 } });

    expect(providerHealthOf('openai', routes, now)).toEqual({
      provider: 'openai',
      healthy: true,
      latencyMs: 800,
      costMicroUsd: 300,
    });
  });

  it('speaks of all routes when none is healthy', () => {
    const now = conditions({ off: { circuit: OPEN, latencyMs: 5 } });

    expect(providerHealthOf('openai', [aRoute({ price: aPrice(1, 2) })], now)).toEqual({
      provider: 'openai',
      healthy: false,
      latencyMs: 5,
      costMicroUsd: 3,
    });
  });

  it('knows nothing of a provider without routes', () => {
    expect(providerHealthOf('openai', [], conditions())).toEqual({
      provider: 'openai',
      healthy: false,
      latencyMs: null,
      costMicroUsd: null,
    });
  });

  it('has no unit cost where the price is unknown', () => {
    expect(unitCostOf(aRoute({ price: null }))).toBeNull();
    expect(unitCostOf(aRoute({ price: aPrice(0, 0) }))).toBe(0);
  });
});
