import * as fc from 'fast-check';
import type { Price } from '../../../src/domain/catalog/price';
import { attemptCost, interactionCost } from '../../../src/domain/interaction/cost';
import { NO_USAGE } from '../../../src/domain/interaction/usage';
import { microUsdOf } from '../../../src/domain/kernel/money';
import { FAILED_ATTEMPT } from '../../support/sample-attempt';
import { aUsage } from '../../support/sample-frames';

/** CASES B33: 3.00 in, 15.00 out, 0.30 cached, 3.75 cache write; USD per million tokens. */
const PRICE: Price = { input: 3_000_000, output: 15_000_000, cachedInput: 300_000, cacheWrite: 3_750_000 };
const FREE: Price = { input: 0, output: 0, cachedInput: 0, cacheWrite: 0 };

const ANTHROPIC = aUsage(12_040, 100, { cachedInputTokens: 10_000, cacheWriteTokens: 2_000 });
const OPENAI = aUsage(12_040, 100, { cachedInputTokens: 10_000 });

describe('the cost of an attempt', () => {
  it.each([
    { name: 'three disjoint buckets of Anthropic (B33)', usage: ANTHROPIC, price: PRICE, microUsd: 12_120 },
    {
      name: 'a total of OpenAI that contains the cached part (B33)',
      usage: OPENAI,
      price: PRICE,
      microUsd: 10_620,
    },
    {
      name: 'no cached price: the input price',
      usage: OPENAI,
      price: { ...PRICE, cachedInput: null },
      microUsd: 37_620,
    },
    {
      name: 'no price of a cache write: the input price',
      usage: ANTHROPIC,
      price: { ...PRICE, cacheWrite: null },
      microUsd: 10_620,
    },
    {
      name: 'a part of the cache written for an hour: at its own price',
      usage: { ...ANTHROPIC, cacheWrite1hTokens: 500 },
      price: { ...PRICE, cacheWrite1h: 6_000_000 },
      microUsd: 13_245,
    },
    {
      name: 'no price of an hour: the price of a cache write',
      usage: { ...ANTHROPIC, cacheWrite1hTokens: 500 },
      price: PRICE,
      microUsd: 12_120,
    },
    {
      name: 'more for an hour than was written: all of it, and no more',
      usage: { ...ANTHROPIC, cacheWrite1hTokens: 9_000 },
      price: { ...PRICE, cacheWrite1h: 6_000_000 },
      microUsd: 16_620,
    },
    { name: 'nothing cached', usage: aUsage(1_000, 100), price: PRICE, microUsd: 4_500 },
    { name: 'nothing said', usage: aUsage(1_000, 0), price: PRICE, microUsd: 3_000 },
    {
      name: 'reasoning is in the output already',
      usage: aUsage(0, 100, { reasoningTokens: 90 }),
      price: PRICE,
      microUsd: 1_500,
    },
    {
      name: 'more cached than input: never a negative part',
      usage: aUsage(10, 0, { cachedInputTokens: 100 }),
      price: PRICE,
      microUsd: 30,
    },
    { name: 'a free model', usage: OPENAI, price: FREE, microUsd: 0 },
  ])('$name', ({ usage, price, microUsd }) => {
    expect(microUsdOf(attemptCost(usage, price) ?? NaN)).toBe(microUsd);
  });

  it.each([
    { name: 'an unknown price', usage: aUsage(10, 10), price: null, expected: null },
    { name: 'an unknown input', usage: aUsage(10, 10, { inputTokens: null }), price: PRICE, expected: null },
    {
      name: 'an unknown output',
      usage: aUsage(10, 10, { outputTokens: null }),
      price: PRICE,
      expected: null,
    },
    { name: 'no usage, because nothing was billed', usage: NO_USAGE, price: PRICE, expected: 0 },
    { name: 'no usage at an unknown price', usage: NO_USAGE, price: null, expected: 0 },
  ])('$name: $expected', ({ usage, price, expected }) => {
    expect(attemptCost(usage, price)).toBe(expected);
  });

  // On PostgreSQL one such cost made the whole audit log unreadable.
  it('is unknown beyond what is exact, and what a store can hold', () => {
    const dearest = { ...PRICE, output: 1_000_000_000_000 };
    expect(attemptCost(aUsage(0, 9_007), dearest)).toBe(9_007_000_000_000_000);
    expect(attemptCost(aUsage(0, 9_008), dearest)).toBeNull();
  });

  it('never falls when there are more tokens', () => {
    const tokens = fc.nat({ max: 1_000_000 });
    fc.assert(
      fc.property(tokens, tokens, tokens, (input, output, more) => {
        const less = attemptCost(aUsage(input, output), PRICE) ?? NaN;
        expect(attemptCost(aUsage(input + more, output), PRICE)).toBeGreaterThanOrEqual(less);
        expect(attemptCost(aUsage(input, output + more), PRICE)).toBeGreaterThanOrEqual(less);
      }),
    );
  });
});

describe('the cost of an interaction', () => {
  it.each([
    { name: 'no attempt costs nothing', costs: [], expected: 0 },
    { name: 'a fraction is rounded up', costs: [1], expected: 1 },
    { name: 'whole micro-USD stay whole', costs: [2_000_000], expected: 2 },
    {
      name: 'fractions are rounded once, not attempt by attempt',
      costs: [400_000, 400_000, 200_000],
      expected: 1,
    },
    { name: 'the sum is rounded up', costs: [400_000, 400_000, 200_001], expected: 2 },
    { name: 'one unknown cost makes the whole unknown', costs: [400_000, null, 1], expected: null },
    {
      name: 'more than can be added exactly is unknown',
      costs: [Number.MAX_SAFE_INTEGER, 1],
      expected: null,
    },
  ])('$name', ({ costs, expected }) => {
    const ledger = costs.map((costPico) => ({ ...FAILED_ATTEMPT, costPico }));

    expect(interactionCost(ledger)).toBe(expected);
  });
});
