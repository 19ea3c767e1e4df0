import fc from 'fast-check';
import {
  admitAttempt,
  admitLastResort,
  DEFAULT_BREAKER,
  FRESH_BREAKER,
  openUntil,
  reportOutcome,
} from '../../../src/domain/health/circuit-breaker';
import type { CircuitBreaker, HealthOutcome } from '../../../src/domain/health/circuit-breaker';

const START = 1_000_000;

/** One attempt after the other, each admitted and reported at the same instant. */
function afterOutcomes(outcomes: readonly HealthOutcome[], nowMs = START): CircuitBreaker {
  return outcomes.reduce<CircuitBreaker>(
    (breaker, outcome) =>
      reportOutcome(breaker, { outcome, generation: breaker.generation }, nowMs, DEFAULT_BREAKER),
    FRESH_BREAKER,
  );
}

const times = (count: number, outcome: HealthOutcome): HealthOutcome[] =>
  Array<HealthOutcome>(count).fill(outcome);

const OPEN = afterOutcomes(times(3, 'failure'));
const REOPENS = START + 60_000;

function trialOf(breaker: CircuitBreaker, nowMs: number): { breaker: CircuitBreaker; generation: number } {
  const admission = admitAttempt(breaker, nowMs, DEFAULT_BREAKER);
  if (admission.permission.kind === 'refused') throw new Error('a trial was expected');
  return { breaker: admission.breaker, generation: admission.permission.generation };
}

describe('circuit breaker', () => {
  describe('while closed', () => {
    it('admits every attempt, none of them as a trial', () => {
      const { breaker, permission } = admitAttempt(FRESH_BREAKER, START, DEFAULT_BREAKER);

      expect(permission).toEqual({ kind: 'granted', generation: 0, trial: false });
      expect(breaker).toBe(FRESH_BREAKER);
    });

    it.each([
      { name: 'two failures', outcomes: times(2, 'failure'), state: 'closed' },
      { name: 'three failures', outcomes: times(3, 'failure'), state: 'open' },
      {
        name: 'three failures among three successes: one half',
        outcomes: [...times(3, 'success'), ...times(3, 'failure')],
        state: 'open',
      },
      {
        name: 'three failures among four successes: less than half',
        outcomes: [...times(4, 'success'), ...times(3, 'failure')],
        state: 'closed',
      },
      {
        name: 'failures and then a success',
        outcomes: [...times(2, 'failure'), 'success'] as const,
        state: 'closed',
      },
      { name: 'any number of neutral outcomes', outcomes: times(50, 'neutral'), state: 'closed' },
      {
        name: 'two failures among neutral outcomes',
        outcomes: [...times(9, 'neutral'), ...times(2, 'failure')],
        state: 'closed',
      },
      { name: 'a single account fault', outcomes: times(1, 'account_fault'), state: 'open' },
      {
        name: 'an account fault among many successes',
        outcomes: [...times(99, 'success'), 'account_fault'] as const,
        state: 'open',
      },
    ])('is $state after $name', ({ outcomes, state }) => {
      expect(afterOutcomes(outcomes).state).toBe(state);
    });

    it('does not open at three failures among ten thousand successes', () => {
      expect(afterOutcomes([...times(10_000, 'success'), ...times(3, 'failure')]).state).toBe('closed');
    });

    it.each([
      { name: 'in the window', lastAtMs: 299_999, state: 'open' },
      { name: 'when the first two have left it', lastAtMs: 300_000, state: 'closed' },
    ])('is $state after a third failure $name', ({ lastAtMs, state }) => {
      const early = afterOutcomes(times(2, 'failure'), 0);
      const late = reportOutcome(early, { outcome: 'failure', generation: 0 }, lastAtMs, DEFAULT_BREAKER);

      expect(late.state).toBe(state);
    });
  });

  describe('while open', () => {
    it.each([
      { name: 'at once', nowMs: START },
      { name: 'in the last millisecond of the minute', nowMs: REOPENS - 1 },
    ])('refuses $name and says until when', ({ nowMs }) => {
      const { breaker, permission } = admitAttempt(OPEN, nowMs, DEFAULT_BREAKER);

      expect(permission).toEqual({ kind: 'refused', untilMs: 1_060_000 });
      expect(breaker).toBe(OPEN);
    });

    it('lets one request try as a last resort, and no second one', () => {
      const first = admitLastResort(OPEN, START + 1, DEFAULT_BREAKER);
      const second = admitLastResort(first.breaker, START + 2, DEFAULT_BREAKER);

      expect(first.permission).toEqual({ kind: 'granted', generation: 2, trial: true });
      expect(second.permission).toEqual({ kind: 'refused', untilMs: 1_060_000 });
    });

    it.each([
      {
        outcome: 'success' as const,
        expected: {
          state: 'closed',
          generation: 3,
          window: [],
          probation: { untilMs: 1_310_000, failuresInRow: 0 },
        },
      },
      {
        outcome: 'failure' as const,
        expected: { state: 'open', generation: 3, untilMs: 1_070_000, trialSinceMs: null },
      },
      {
        outcome: 'account_fault' as const,
        expected: { state: 'open', generation: 3, untilMs: 1_070_000, trialSinceMs: null },
      },
      {
        outcome: 'neutral' as const,
        expected: { state: 'open', generation: 2, untilMs: 1_060_000, trialSinceMs: null },
      },
    ])('after a last-resort trial with $outcome is $expected.state', ({ outcome, expected }) => {
      const { breaker } = admitLastResort(OPEN, START + 1, DEFAULT_BREAKER);
      const after = reportOutcome(breaker, { outcome, generation: 2 }, START + 10_000, DEFAULT_BREAKER);

      expect(after).toEqual(expected);
    });

    it.each(['success', 'failure', 'neutral', 'account_fault'] as const)(
      'ignores a late %s of an attempt from before it opened',
      (outcome) => {
        expect(reportOutcome(OPEN, { outcome, generation: 0 }, START + 5, DEFAULT_BREAKER)).toBe(OPEN);
      },
    );

    it('keeps the slot of a last-resort trial taken when its time is over meanwhile', () => {
      const { breaker } = admitLastResort(OPEN, START + 1, DEFAULT_BREAKER);

      expect(admitAttempt(breaker, REOPENS, DEFAULT_BREAKER).permission).toEqual({
        kind: 'refused',
        untilMs: null,
      });
    });
  });

  describe('while half-open', () => {
    it('grants one trial at the end of the minute and refuses the rest (B28)', () => {
      let breaker = OPEN;
      const granted: boolean[] = [];
      for (let request = 0; request < 50; request += 1) {
        const admission = admitAttempt(breaker, REOPENS, DEFAULT_BREAKER);
        breaker = admission.breaker;
        granted.push(admission.permission.kind === 'granted');
      }

      expect(granted.filter(Boolean)).toHaveLength(1);
      expect(granted[0]).toBe(true);
      expect(breaker).toEqual({ state: 'half_open', generation: 2, trialSinceMs: 1_060_000 });
    });

    it('closes after a trial that served, with an empty window (B28 i)', () => {
      const { breaker, generation } = trialOf(OPEN, REOPENS);
      const after = reportOutcome(
        breaker,
        { outcome: 'success', generation },
        REOPENS + 200,
        DEFAULT_BREAKER,
      );

      expect(after).toEqual({
        state: 'closed',
        generation: 3,
        window: [],
        probation: { untilMs: 1_360_200, failuresInRow: 0 },
      });
    });

    it('opens for a full minute after a trial that failed (B28 ii, iii)', () => {
      const { breaker, generation } = trialOf(OPEN, REOPENS);
      const after = reportOutcome(
        breaker,
        { outcome: 'failure', generation },
        REOPENS + 500,
        DEFAULT_BREAKER,
      );

      expect(after).toEqual({ state: 'open', generation: 3, untilMs: 1_120_500, trialSinceMs: null });
    });

    it('gives the slot back after a neutral trial', () => {
      const { breaker, generation } = trialOf(OPEN, REOPENS);
      const after = reportOutcome(breaker, { outcome: 'neutral', generation }, REOPENS + 5, DEFAULT_BREAKER);

      expect(after).toEqual({ state: 'half_open', generation: 2, trialSinceMs: null });
      expect(admitAttempt(after, REOPENS + 5, DEFAULT_BREAKER).permission).toEqual({
        kind: 'granted',
        generation: 3,
        trial: true,
      });
    });

    it.each([
      { name: 'keeps it in the last millisecond of its lease', afterMs: 3_599_999, kind: 'refused' },
      { name: 'has lost it at the end of its lease', afterMs: 3_600_000, kind: 'granted' },
    ])('a silent trial $name', ({ afterMs, kind }) => {
      const { breaker } = trialOf(OPEN, REOPENS);

      expect(admitAttempt(breaker, REOPENS + afterMs, DEFAULT_BREAKER).permission.kind).toBe(kind);
    });

    it('ignores a trial that has lost its slot', () => {
      const lost = trialOf(OPEN, REOPENS);
      const next = trialOf(lost.breaker, REOPENS + 3_600_000);
      const report = { outcome: 'success' as const, generation: lost.generation };

      expect(reportOutcome(next.breaker, report, REOPENS + 3_600_001, DEFAULT_BREAKER)).toBe(next.breaker);
    });
  });

  describe('on probation, for five minutes after it has closed', () => {
    /** Closed again by a trial at REOPENS, and then so many outcomes. */
    const afterTrialAnd = (
      outcomes: readonly HealthOutcome[],
      lastAtMs = REOPENS + 60_000,
    ): CircuitBreaker => {
      const { breaker, generation } = trialOf(OPEN, REOPENS);
      const first = { outcome: 'success' as const, generation };
      const closed = reportOutcome(breaker, first, REOPENS, DEFAULT_BREAKER);
      return outcomes.reduce<CircuitBreaker>((current, outcome, index) => {
        const atMs = index < outcomes.length - 1 ? REOPENS + 1_000 : lastAtMs;
        return reportOutcome(current, { outcome, generation: current.generation }, atMs, DEFAULT_BREAKER);
      }, closed);
    };

    it.each([
      { name: 'two failures in a row', outcomes: times(2, 'failure'), state: 'closed' },
      { name: 'three failures in a row', outcomes: times(3, 'failure'), state: 'open' },
      {
        name: 'failures that neutral outcomes stand between',
        outcomes: ['failure', 'neutral', 'failure', 'neutral', 'failure'] as const,
        state: 'open',
      },
      {
        name: 'failures that a success stands between',
        outcomes: ['failure', 'failure', 'success', 'failure', 'failure'] as const,
        state: 'closed',
      },
    ])('is $state after a hundred successes and $name', ({ outcomes, state }) => {
      expect(afterTrialAnd([...times(100, 'success'), ...outcomes]).state).toBe(state);
    });

    it.each([
      { name: 'in the last millisecond', afterMs: 299_999, state: 'open' },
      { name: 'when it is over', afterMs: 300_000, state: 'closed' },
    ])('is $state after a third failure in a row $name', ({ afterMs, state }) => {
      const outcomes = [...times(100, 'success'), ...times(3, 'failure')];

      expect(afterTrialAnd(outcomes, REOPENS + afterMs).state).toBe(state);
    });
  });

  describe('opened from elsewhere', () => {
    it('opens a closed circuit', () => {
      expect(openUntil(FRESH_BREAKER, 7_000)).toEqual({
        state: 'open',
        generation: 1,
        untilMs: 7_000,
        trialSinceMs: null,
      });
    });

    it.each([
      { name: 'a later end takes over', untilMs: 2_000_000, expected: 2_000_000 },
      { name: 'an earlier end shortens nothing', untilMs: 1_000_001, expected: 1_060_000 },
    ])('$name', ({ untilMs, expected }) => {
      expect(openUntil(OPEN, untilMs)).toMatchObject({ state: 'open', generation: 1, untilMs: expected });
    });

    it('leaves a running trial its slot and its say', () => {
      const { breaker, generation } = trialOf(OPEN, REOPENS);
      const opened = openUntil(breaker, 2_000_000);

      expect(opened).toEqual({ state: 'open', generation, untilMs: 2_000_000, trialSinceMs: REOPENS });
    });
  });

  describe('whatever happens', () => {
    type Step = Readonly<{
      ask: 'ordinary' | 'last_resort';
      waitMs: number;
      outcomes: readonly HealthOutcome[];
    }>;
    const outcome = fc.constantFrom<HealthOutcome>('success', 'failure', 'neutral', 'account_fault');
    const step: fc.Arbitrary<Step> = fc.record({
      ask: fc.constantFrom('ordinary', 'last_resort'),
      waitMs: fc.integer({ min: 0, max: 90_000 }),
      outcomes: fc.array(outcome, { maxLength: 2 }),
    });

    it('never has more than one trial at a time', () => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 39 }), (steps) => {
          let breaker = FRESH_BREAKER;
          let nowMs = START;
          const running: { generation: number; trial: boolean }[] = [];
          for (const { ask, waitMs, outcomes } of steps) {
            nowMs += waitMs;
            const admission = (ask === 'ordinary' ? admitAttempt : admitLastResort)(
              breaker,
              nowMs,
              DEFAULT_BREAKER,
            );
            breaker = admission.breaker;
            if (admission.permission.kind === 'granted') running.push(admission.permission);
            expect(running.filter(({ trial }) => trial).length).toBeLessThanOrEqual(1);
            for (const result of outcomes) {
              const ended = running.shift();
              if (ended === undefined) break;
              breaker = reportOutcome(
                breaker,
                { outcome: result, generation: ended.generation },
                nowMs,
                DEFAULT_BREAKER,
              );
            }
          }
        }),
      );
    });

    it('always has a free slot again once the trial has reported', () => {
      fc.assert(
        fc.property(outcome, fc.integer({ min: 0, max: 200_000 }), (result, waitMs) => {
          const trial = admitLastResort(OPEN, START + waitMs, DEFAULT_BREAKER);
          const report = { outcome: result, generation: trial.breaker.generation };
          const after = reportOutcome(trial.breaker, report, START + waitMs + 1, DEFAULT_BREAKER);

          expect(admitLastResort(after, START + waitMs + 2, DEFAULT_BREAKER).permission.kind).toBe('granted');
        }),
      );
    });
  });
});
