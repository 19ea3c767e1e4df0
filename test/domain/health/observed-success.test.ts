import fc from 'fast-check';
import {
  minuteOf,
  observedOutcomeOf,
  observedSince,
  observedSuccess,
  type ProviderMinute,
} from '../../../src/domain/health/observed-success';
import type { Attempt } from '../../../src/domain/interaction/attempt';
import type { Fault, FaultClass } from '../../../src/domain/resilience/fault';
import { FAILED_ATTEMPT } from '../../support/sample-attempt';

const NOW = Date.parse('2026-11-30T12:34:56Z');
const MINUTE_MS = 60_000;

const ago = (minutes: number, answered: number, failed = 0, provider = 'openai'): ProviderMinute => ({
  provider,
  minuteMs: minuteOf(NOW) - minutes * MINUTE_MS,
  answered,
  failed,
});
const seen = (...minutes: readonly ProviderMinute[]) => observedSuccess(['openai'], minutes, NOW)[0]!;

const failedBy = (more: Partial<Fault>): Pick<Attempt, 'outcome'> => {
  const { outcome } = FAILED_ATTEMPT;
  if (outcome.kind !== 'failed') throw new Error('the sample has failed');
  return { outcome: { kind: 'failed', fault: { ...outcome.fault, ...more } } };
};

describe('what an attempt says of its provider', () => {
  it.each<[FaultClass, 'answered' | 'failed' | null]>([
    ['caller', null],
    ['contract', null],
    ['credential', 'failed'],
    ['rate_limited', 'failed'],
    ['server_error', 'failed'],
    ['timeout', 'failed'],
    ['network', 'failed'],
    ['malformed', 'failed'],
    ['refusal', 'answered'],
    ['cancelled', null],
    ['partial', 'failed'],
    ['ambiguous', null],
    ['local', null],
  ])('that met a %s fault: %s', (faultClass, outcome) => {
    expect(observedOutcomeOf(failedBy({ class: faultClass }))).toBe(outcome);
  });

  it('is an answer where it was served, and a failure where our account is at fault', () => {
    expect(observedOutcomeOf({ outcome: { kind: 'served', finishReason: 'stop' } })).toBe('answered');
    expect(observedOutcomeOf(failedBy({ class: 'credential', accountEvidence: true }))).toBe('failed');
  });

  it('is nothing where we ended it for reasons of our own', () => {
    expect(observedOutcomeOf(failedBy({ class: 'timeout', abortedBy: 'deadline' }))).toBeNull();
  });
});

describe('observed success', () => {
  it('is unknown without a call', () => {
    expect(seen()).toMatchObject({ last5Minutes: null, lastHour: null, last24Hours: null });
  });

  it.each([
    ['the running minute', 0, [50, 50, 50]],
    ['the last whole minute of five', 5, [50, 50, 50]],
    ['a minute more', 6, [null, 50, 50]],
    ['the last of an hour', 60, [null, 50, 50]],
    ['more than an hour', 61, [null, null, 50]],
    ['the last of a day', 1_440, [null, null, 50]],
    ['more than a day', 1_441, [null, null, null]],
  ])('counts %s where it belongs', (_name, minutes, [five, hour, day]) => {
    const { last5Minutes, lastHour, last24Hours } = seen(ago(minutes, 1, 1));

    expect([last5Minutes, lastHour, last24Hours]).toEqual([five, hour, day]);
  });

  it('asks for no older minute than it counts', () => {
    expect(observedSince(NOW)).toBe(minuteOf(NOW) - 1_440 * MINUTE_MS);
  });

  it.each([
    ['all', 10_000, 0, 100],
    ['all but one of ten thousand', 9_999, 1, 99.9],
    ['one in three', 1, 2, 33.3],
    ['none', 0, 3, 0],
  ])('of %s', (_name, answered, failed, percent) => {
    expect(seen(ago(0, answered, failed)).lastHour).toBe(percent);
  });

  it('shows the hours of the clock, the running one last, and the bad ones too', () => {
    const { hours } = seen(ago(0, 9, 1), ago(34, 1), ago(35, 0, 4), ago(24 * 60, 1));

    expect(hours).toHaveLength(24);
    expect(hours.slice(-2)).toEqual([
      { fromMs: Date.parse('2026-11-30T11:00:00Z'), percent: 0 },
      { fromMs: Date.parse('2026-11-30T12:00:00Z'), percent: 90.9 },
    ]);
    expect(hours[0]).toEqual({ fromMs: Date.parse('2026-11-29T13:00:00Z'), percent: null });
  });

  it('is of each provider by itself', () => {
    const minutes = [ago(0, 1, 0), ago(0, 0, 1, 'anthropic')];

    const [anthropic, openai] = observedSuccess(['anthropic', 'openai'], minutes, NOW);

    expect([anthropic!.lastHour, openai!.lastHour]).toEqual([0, 100]);
  });

  it('says 100 of nobody who failed', () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.integer({ min: 1, max: 1e6 }), (answered, failed) => {
        const percent = seen(ago(0, answered, failed)).lastHour;

        return percent !== null && percent >= 0 && percent < 100;
      }),
    );
  });
});
