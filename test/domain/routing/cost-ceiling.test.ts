import fc from 'fast-check';
import { costRatio, judgeCost } from '../../../src/domain/routing/cost-ceiling';
import { aPrice } from '../../support/sample-catalog';

const CHEAP = aPrice(150_000, 600_000);

describe('cost ceiling', () => {
  it.each([
    { name: 'cheaper', fallback: aPrice(100_000, 400_000), ceiling: 5 },
    { name: 'as dear', fallback: CHEAP, ceiling: 1 },
    { name: 'exactly five times as dear', fallback: aPrice(750_000, 3_000_000), ceiling: 5 },
    {
      name: 'exactly 1.15 times as dear, which floating point would refuse',
      primary: aPrice(100, 100),
      fallback: aPrice(115, 115),
      ceiling: 1.15,
    },
    {
      name: 'exactly 1.1 times as dear',
      primary: aPrice(3_000_000, 3_000_000),
      fallback: aPrice(3_300_000, 3_300_000),
      ceiling: 1.1,
    },
    { name: 'free', fallback: aPrice(0, 0), ceiling: 0.5 },
    { name: 'free like the primary', primary: aPrice(0, 0), fallback: aPrice(0, 0), ceiling: 5 },
  ])('admits what is $name', ({ primary = CHEAP, fallback, ceiling }) => {
    expect(judgeCost(primary, fallback, ceiling)).toBeNull();
  });

  it.each([
    {
      name: 'its input is one micro-USD over',
      fallback: aPrice(750_001, 600_000),
      ceiling: 5,
      ratio: 750_001 / 150_000,
    },
    {
      name: 'its output is one micro-USD over',
      fallback: aPrice(150_000, 3_000_001),
      ceiling: 5,
      ratio: 3_000_001 / 600_000,
    },
    {
      name: 'its output alone is ten times as dear',
      fallback: aPrice(15_000, 6_000_000),
      ceiling: 5,
      ratio: 10,
    },
    {
      name: 'it is one over 1.15 times',
      primary: aPrice(100, 100),
      fallback: aPrice(116, 100),
      ceiling: 1.15,
      ratio: 1.16,
    },
    {
      name: 'the primary is free',
      primary: aPrice(0, 0),
      fallback: aPrice(1, 0),
      ceiling: 1_000_000,
      ratio: null,
    },
    {
      name: 'the input of the primary is free',
      primary: aPrice(0, 10),
      fallback: aPrice(1, 10),
      ceiling: 5,
      ratio: null,
    },
  ])('refuses because $name', ({ primary = CHEAP, fallback, ceiling, ratio }) => {
    expect(judgeCost(primary, fallback, ceiling)).toEqual({
      reason: 'cost_ceiling',
      primaryPrice: primary,
      fallbackPrice: fallback,
      ratio,
      ceiling,
    });
  });

  it.each([
    { of: 'primary', primary: null, fallback: CHEAP },
    { of: 'fallback', primary: CHEAP, fallback: null },
    { of: 'both', primary: null, fallback: null },
  ])('refuses an unknown price of $of, however high the ceiling', ({ of, primary, fallback }) => {
    expect(judgeCost(primary, fallback, 1_000_000)).toEqual({ reason: 'cost_unknown', of });
  });

  it('judges all prices of the same proportion alike', () => {
    const price = fc.record({ input: fc.nat(1_000_000), output: fc.nat(1_000_000) });
    const hundredths = fc.integer({ min: 1, max: 1_000 });

    fc.assert(
      fc.property(
        price,
        price,
        hundredths,
        fc.integer({ min: 2, max: 1_000 }),
        (base, other, percent, scale) => {
          const ceiling = percent / 100;
          const plain = judgeCost(
            aPrice(base.input, base.output),
            aPrice(other.input, other.output),
            ceiling,
          );
          const scaled = judgeCost(
            aPrice(base.input * scale, base.output * scale),
            aPrice(other.input * scale, other.output * scale),
            ceiling,
          );

          expect(scaled === null).toBe(plain === null);
        },
      ),
    );
  });

  it('does not fail on a price that is no whole number', () => {
    expect(judgeCost(aPrice(0.4, 1), aPrice(10.2, 1), 5)).toMatchObject({ reason: 'cost_ceiling' });
  });
});

describe('cost ratio', () => {
  it.each([
    { name: 'the larger of both', primary: aPrice(100, 400), fallback: aPrice(300, 600), ratio: 3 },
    {
      name: 'below one for what is cheaper',
      primary: aPrice(100, 400),
      fallback: aPrice(25, 200),
      ratio: 0.5,
    },
    {
      name: 'of the output where both inputs are free',
      primary: aPrice(0, 400),
      fallback: aPrice(0, 200),
      ratio: 0.5,
    },
    { name: 'one where all is free', primary: aPrice(0, 0), fallback: aPrice(0, 0), ratio: 1 },
    {
      name: 'unknown where only the primary is free',
      primary: aPrice(0, 0),
      fallback: aPrice(0, 1),
      ratio: null,
    },
  ])('is $name', ({ primary, fallback, ratio }) => {
    expect(costRatio(primary, fallback)).toBe(ratio);
  });
});
