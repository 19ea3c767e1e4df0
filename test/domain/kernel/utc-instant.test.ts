import fc from 'fast-check';
import { utcInstant } from '../../../src/domain/kernel/utc-instant';

describe('an instant in words', () => {
  it.each([
    [0, '1970-01-01T00:00:00Z'],
    [-1, '1969-12-31T23:59:59Z'],
    [1_796_026_500_999, '2026-11-30T08:15:00Z'],
    [951_782_400_000, '2000-02-29T00:00:00Z'],
    [951_868_800_000, '2000-03-01T00:00:00Z'],
    [4_107_542_399_000, '2100-02-28T23:59:59Z'],
    [4_107_542_400_000, '2100-03-01T00:00:00Z'],
  ])('takes %i as %s', (ms, expected) => {
    expect(utcInstant(ms)).toBe(expected);
  });

  it('agrees with the calendar on every day from year 0 to 9999', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_167_219_200, max: 253_402_300_799 }), (seconds) => {
        expect(utcInstant(seconds * 1_000)).toBe(new Date(seconds * 1_000).toISOString().replace('.000', ''));
      }),
    );
  });
});
