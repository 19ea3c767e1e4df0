import { instantMs, instantOrEpochMs } from '../../../../src/delivery/http/admin/instant';

describe('a time', () => {
  it.each([
    ['2026-11-30T12:00:00Z', 1_796_040_000_000],
    ['2026-11-30T12:00:00.25Z', 1_796_040_000_250],
    ['2026-11-30t12:00:00z', 1_796_040_000_000],
    ['2026-11-30T13:00:00+01:00', 1_796_040_000_000],
    ['2028-02-29T00:00:00Z', 1_835_395_200_000],
  ])('%s is read', (text, ms) => {
    expect(instantMs(text)).toBe(ms);
  });

  it.each([
    '',
    'now',
    '2026-11-30',
    '2026-11-30T12:00:00',
    '2027-02-29T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-11-31T00:00:00Z',
    '2026-11-30T25:00:00Z',
    '2026-11-30T12:00:00+99:00',
    '1796040000000',
  ])('%j is refused', (text) => {
    expect(instantMs(text)).toBeNull();
  });

  it('may be milliseconds where both are allowed', () => {
    expect(instantOrEpochMs('1796040000000')).toBe(1_796_040_000_000);
    expect(instantOrEpochMs('-1')).toBeNull();
  });
});
