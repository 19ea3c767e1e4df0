import fc from 'fast-check';
import { backoffDelayMs } from '../../../src/domain/resilience/backoff';
import { DEFAULT_SETTINGS } from '../../../src/domain/routing/policy-settings';

const RETRY = DEFAULT_SETTINGS.retry;

describe('backoff', () => {
  it.each([
    [0, 1_000],
    [1, 2_000],
    [2, 4_000],
    [5, 32_000],
    [6, 60_000],
    [5_000, 60_000],
    [-1, 1_000],
  ])('waits base·2^%i, %i ms, up to the cap', (k, expected) => {
    expect(backoffDelayMs(RETRY, k, 0.5)).toBe(expected);
  });

  it.each([
    [0, 750],
    [0.25, 875],
    [0.75, 1_125],
    [0.999_999, 1_250],
  ])('is moved by the draw %d to %i ms', (draw, expected) => {
    expect(backoffDelayMs(RETRY, 0, draw)).toBe(expected);
  });

  it('never waits longer than a timer can', () => {
    const settings = { ...RETRY, baseDelayMs: 2 ** 40, maxDelayMs: 2 ** 50 };

    expect(backoffDelayMs(settings, 0, 0.5)).toBe(2_147_483_647);
  });

  it('is a whole number of milliseconds, from 0 to what a timer takes', () => {
    const settings = fc.record({
      maxRetries: fc.nat(),
      maxRetriesBeforeFallback: fc.nat(),
      baseDelayMs: fc.nat(),
      maxDelayMs: fc.nat(),
      jitter: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const draw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

    fc.assert(
      fc.property(settings, fc.nat(), draw, (retry, k, chance) => {
        const delayMs = backoffDelayMs(retry, k, chance);

        expect(Number.isInteger(delayMs) && delayMs >= 0 && delayMs < 2 ** 31).toBe(true);
      }),
    );
  });
});
