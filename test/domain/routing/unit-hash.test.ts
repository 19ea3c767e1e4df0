import fc from 'fast-check';
import { unitHash } from '../../../src/domain/routing/unit-hash';

describe('unit hash', () => {
  it('gives the same text the same place, for good', () => {
    // Written down once: another value would move every caller of every canary to another side.
    expect(unitHash('user-1')).toBe(0.4670340372249484);
  });

  it('lies from 0 to below 1 for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(unitHash(text)).toBeGreaterThanOrEqual(0);
        expect(unitHash(text)).toBeLessThan(1);
      }),
    );
  });

  it('spreads texts that differ in a number only', () => {
    const share = Array.from({ length: 10_000 }, (_, index) => unitHash(`user-${index}`)).filter(
      (place) => place < 0.05,
    );

    expect(share.length).toBeGreaterThan(400);
    expect(share.length).toBeLessThan(600);
  });
});
