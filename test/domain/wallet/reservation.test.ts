import fc from 'fast-check';
import type { Attempt } from '../../../src/domain/interaction/attempt';
import { raiseOf, worstCostAfter } from '../../../src/domain/wallet/reservation';
import { FAILED_ATTEMPT } from '../../support/sample-attempt';
import { ABLE, aPrice, aRoute, PLAIN_NEEDS } from '../../support/sample-catalog';

/** At worst 10 × 100,000 + 20 × 400,000 pico-USD: 9 micro-USD. */
const CHEAP = aRoute({ price: aPrice(100_000, 400_000) });
const DEAR = aRoute({ id: 'an', price: aPrice(1_000_000, 4_000_000) });
const UNPRICED = aRoute({ id: 'xx', price: null });
const SIZE = { needs: { ...PLAIN_NEEDS, maxOutputTokens: 20 }, choices: 1 };

const attempt = (given: Partial<Attempt>): Attempt => ({ ...FAILED_ATTEMPT, route: CHEAP, ...given });

describe('the worst cost after the next attempt', () => {
  it.each([
    ['is that of the first', [], CHEAP, 9],
    ['is that of the same again after one that cost nothing', [attempt({ costPico: 0 })], CHEAP, 9],
    ['is that of a dearer fallback', [attempt({ costPico: 0 })], DEAR, 90],
    ['adds what was paid, rounded up once', [attempt({ costPico: 1 }), attempt({ costPico: 1 })], CHEAP, 10],
    ['adds the worst of one whose cost is unknown', [attempt({ costPico: null })], DEAR, 99],
    ['is unknown without a price', [], UNPRICED, 'price_unknown'],
    [
      'is unknown after an unknown attempt without a price',
      [attempt({ route: UNPRICED, costPico: null }), attempt({ costPico: 0 })],
      CHEAP,
      'price_unknown',
    ],
    [
      'is unknown where nothing bounds the output',
      [attempt({ costPico: 0 })],
      aRoute({ price: aPrice(1, 1), contract: { ...ABLE, maxOutputTokens: null, contextTokens: null } }),
      'output_unbounded',
    ],
  ])('%s', (_, ledger, next, expected) => {
    const size =
      expected === 'output_unbounded' ? { ...SIZE, needs: { ...PLAIN_NEEDS, maxOutputTokens: null } } : SIZE;

    expect(worstCostAfter(ledger, next, size)).toBe(expected);
  });

  it('covers what was paid and the whole next attempt', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20_000_000), { maxLength: 7 }), (costs) => {
        const ledger = costs.map((costPico) => attempt({ costPico }));
        const total = costs.reduce((sum, cost) => sum + cost, 0) + 9_000_000;

        expect(worstCostAfter(ledger, CHEAP, SIZE)).toBe(Math.ceil(total / 1_000_000));
      }),
    );
  });
});

describe('raise', () => {
  it.each([
    [300, 0, 300],
    [300, 299, 1],
    [300, 300, 0],
    [200, 300, 0],
  ])('to %s from %s is %s', (required, held, expected) => {
    expect(raiseOf(required, held)).toBe(expected);
  });
});
