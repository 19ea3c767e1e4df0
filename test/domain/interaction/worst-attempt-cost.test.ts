import type { Price } from '../../../src/domain/catalog/price';
import { worstAttemptCost } from '../../../src/domain/interaction/worst-attempt-cost';
import { ABLE, aPrice, aRoute, PLAIN_NEEDS } from '../../support/sample-catalog';

/** 10 input tokens, and what the request asks for of output. */
const size = (maxOutputTokens: number | null, choices = 1) => ({
  needs: { ...PLAIN_NEEDS, maxOutputTokens },
  choices,
});

const limits = (maxOutputTokens: number | null, contextTokens: number | null) => ({
  ...ABLE,
  maxOutputTokens,
  contextTokens,
});

describe('the worst cost of an attempt, in pico-USD', () => {
  it.each([
    ['takes the limit of the request', limits(5_000, null), size(20), 9_000],
    ['takes the limit of the offering where the request has none', limits(50, null), size(null), 21_000],
    ['takes the context where neither has one', limits(null, 100), size(null), 41_000],
    ['counts every choice', limits(null, null), size(20, 3), 25_000],
    ['has no bound where nobody sets one', limits(null, null), size(null), 'output_unbounded'],
  ])('%s', (_name, contract, asked, expected) => {
    expect(worstAttemptCost(aRoute({ contract, price: aPrice(100, 400) }), asked)).toBe(expected);
  });

  it.each<[name: string, price: Price | null, expected: number | string]>([
    ['is unknown without a price', null, 'price_unknown'],
    ['writes the cache where that is dearest', { ...aPrice(100, 0), cacheWrite: 125 }, 1_250],
    ['reads no cache where that is cheaper', { ...aPrice(100, 0), cachedInput: 10 }, 1_000],
    ['is nothing where all is free', aPrice(0, 0), 0],
  ])('%s', (_name, price, expected) => {
    expect(worstAttemptCost(aRoute({ price }), size(20))).toBe(expected);
  });
});
