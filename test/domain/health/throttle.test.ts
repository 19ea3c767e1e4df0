import { isThrottled, throttleUntil } from '../../../src/domain/health/throttle';

describe('throttle', () => {
  it.each([
    { name: 'no wait asked for keeps the present one', current: 9_000, asked: null, expected: 9_000 },
    { name: 'no wait at all', current: null, asked: null, expected: null },
    { name: 'a first wait', current: null, asked: 6_000, expected: 6_000 },
    { name: 'a longer wait takes over', current: 6_000, asked: 9_000, expected: 9_000 },
    { name: 'a shorter wait shortens nothing', current: 9_000, asked: 6_000, expected: 9_000 },
    { name: 'a wait that is over counts for nothing', current: null, asked: 5_000, expected: null },
    { name: 'a day is believed', current: null, asked: 86_405_000, expected: 86_405_000 },
    { name: 'more than a day is cut to a day', current: null, asked: 99_999_999_999, expected: 86_405_000 },
  ])('$name', ({ current, asked, expected }) => {
    expect(throttleUntil(current, asked, 5_000)).toBe(expected);
  });

  it.each([
    { name: 'before the instant', untilMs: 5_001, expected: true },
    { name: 'at the instant', untilMs: 5_000, expected: false },
    { name: 'without one', untilMs: null, expected: false },
  ])('holds $name: $expected', ({ untilMs, expected }) => {
    expect(isThrottled(untilMs, 5_000)).toBe(expected);
  });
});
