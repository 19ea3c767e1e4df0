import { quotaWaitMs } from '../../../../src/infra/provider/transport/quota-wait';

const NOW_MS = Date.UTC(2026, 10, 30, 9, 0, 0);

describe('a used-up limit of a provider', () => {
  it.each([
    ['12ms', 12],
    ['1s', 1_000],
    ['8.64s', 8_640],
    ['6m0s', 360_000],
    ['1h2m3.5s', 3_723_500],
    ['1d', 86_400_000],
  ])('holds for %s', (reset, waitMs) => {
    const headers = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': reset };

    expect(quotaWaitMs(headers, NOW_MS)).toBe(waitMs);
  });

  it.each(['', '0s', '5', '-1s', 'soon', '1s1s', '1s6m', '1 s', 'NaNs', '1e3s'])(
    'says nothing by %p',
    (reset) => {
      const headers = { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': reset };

      expect(quotaWaitMs(headers, NOW_MS)).toBeNull();
    },
  );

  it.each([
    ['an instant ahead', '2026-11-30T09:00:07Z', 7_000],
    ['an instant in another zone', '2026-11-30T10:00:07.5+01:00', 7_500],
    ['an instant that has passed', '2026-11-30T08:59:59Z', null],
    ['no instant at all', '2026-11-30', null],
  ])('holds until %s', (_name, reset, waitMs) => {
    const headers = {
      'anthropic-ratelimit-input-tokens-remaining': '0',
      'anthropic-ratelimit-input-tokens-reset': reset,
    };

    expect(quotaWaitMs(headers, NOW_MS)).toBe(waitMs);
  });

  it.each([['1'], ['-1'], ['00'], ['']])('is not there while %p is left', (remaining) => {
    const headers = { 'x-ratelimit-remaining-requests': remaining, 'x-ratelimit-reset-requests': '9s' };

    expect(quotaWaitMs(headers, NOW_MS)).toBeNull();
  });

  it('holds as long as the longest of several', () => {
    const headers = {
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '2s',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '3s',
    };

    expect(quotaWaitMs(headers, NOW_MS)).toBe(3_000);
  });
});
