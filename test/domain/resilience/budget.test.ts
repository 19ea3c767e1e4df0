import { fitsBudget, MAX_ATTEMPTS } from '../../../src/domain/resilience/budget';

const BUDGET = { openedAtMs: 0, deadlineAtMs: 10_000, minAttemptMs: 1_000 };

describe('budget', () => {
  it.each([
    ['at the start', 0, 0, true],
    ['with exactly the minimum left', 9_000, 0, true],
    ['with a millisecond less', 9_001, 0, false],
    ['with exactly the minimum left after the wait', 0, 9_000, true],
    ['with a millisecond less after the wait', 0, 9_001, false],
    ['after the deadline', 10_001, 0, false],
  ])('%s: now %i, delay %i, an attempt may start: %s', (_name, nowMs, delayMs, expected) => {
    expect(fitsBudget(BUDGET, nowMs, delayMs)).toBe(expected);
  });

  it('allows eight attempts per interaction', () => {
    expect(MAX_ATTEMPTS).toBe(8);
  });
});
