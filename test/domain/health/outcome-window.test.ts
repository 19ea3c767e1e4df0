import fc from 'fast-check';
import { countOutcomes, EMPTY_WINDOW, recordOutcome } from '../../../src/domain/health/outcome-window';

const SETTINGS = { windowMs: 300_000, bucketMs: 10_000 };
const FAILURE = { successes: 0, failures: 1 };
const SUCCESS = { successes: 1, failures: 0 };

describe('outcome window', () => {
  it('adds up what happened in one bucket', () => {
    const first = recordOutcome(EMPTY_WINDOW, FAILURE, 20_000, SETTINGS);
    const second = recordOutcome(first, SUCCESS, 29_999, SETTINGS);

    expect(second).toEqual([{ slot: 2, successes: 1, failures: 1 }]);
  });

  it.each([
    { name: 'in the last millisecond of the window', nowMs: 299_999, failures: 1 },
    { name: 'in the first millisecond after it', nowMs: 300_000, failures: 0 },
  ])('counts an outcome of the first bucket $name: $failures', ({ nowMs, failures }) => {
    const window = recordOutcome(EMPTY_WINDOW, FAILURE, 0, SETTINGS);

    expect(countOutcomes(window, nowMs, SETTINGS)).toEqual({ successes: 0, failures });
  });

  it('adds to the last bucket when the clock goes back', () => {
    const window = recordOutcome(EMPTY_WINDOW, FAILURE, 50_000, SETTINGS);
    const after = recordOutcome(window, FAILURE, 10_000, SETTINGS);

    expect(after).toEqual([{ slot: 5, successes: 0, failures: 2 }]);
  });

  it('never holds more than thirty buckets, whatever the times', () => {
    const times = fc.array(fc.integer({ min: 0, max: 5_000_000 }), { maxLength: 200 });

    fc.assert(
      fc.property(times, (instants) => {
        let window = EMPTY_WINDOW;
        for (const nowMs of instants) window = recordOutcome(window, FAILURE, nowMs, SETTINGS);

        expect(window.length).toBeLessThanOrEqual(30);
      }),
    );
  });
});
