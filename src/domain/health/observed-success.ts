import type { Attempt } from '../interaction/attempt';
import type { ProviderId } from '../kernel/ids';
import { healthOutcomeOf } from './health-outcome';

/** What a provider made of our calls in one minute. */
export type ProviderMinute = Readonly<{
  provider: ProviderId;
  /** When the minute began, milliseconds. */
  minuteMs: number;
  answered: number;
  failed: number;
}>;

/** Percent of calls that were answered, to a tenth, rounded down: 100 means all of them. Null: there was no call. */
export type SuccessPercent = number | null;

export type ObservedSuccess = Readonly<{
  provider: ProviderId;
  last5Minutes: SuccessPercent;
  lastHour: SuccessPercent;
  last24Hours: SuccessPercent;
  /** By the clock, the running one last. */
  hours: readonly Readonly<{ fromMs: number; percent: SuccessPercent }>[];
}>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const HOURS_SHOWN = 24;

export function minuteOf(ms: number): number {
  return ms - (ms % MINUTE_MS);
}

/** The oldest minute that anything is said of. */
export function observedSince(nowMs: number): number {
  return minuteOf(nowMs) - HOURS_SHOWN * HOUR_MS;
}

/**
 * What an attempt says of its provider to the public; null: nothing. As for circuits, but a rate limit is no answer either,
 * whoever set it, and a refusal is one.
 */
export function observedOutcomeOf({ outcome }: Pick<Attempt, 'outcome'>): 'answered' | 'failed' | null {
  const fault = outcome.kind === 'failed' ? outcome.fault : null;
  if (fault?.class === 'refusal') return 'answered';
  if (fault?.class === 'rate_limited') return 'failed';
  switch (healthOutcomeOf(fault)) {
    case 'success':
      return 'answered';
    case 'failure':
    case 'account_fault':
      return 'failed';
    case 'neutral':
      return null;
  }
}

/** How each of the providers fared lately. Windows hold the running minute and the whole ones before it. */
export function observedSuccess(
  providers: readonly ProviderId[],
  minutes: readonly ProviderMinute[],
  nowMs: number,
): readonly ObservedSuccess[] {
  return providers.map((provider) => {
    const own = minutes.filter((minute) => minute.provider === provider);
    const within = (windowMs: number) => percentOf(own, minuteOf(nowMs) - windowMs, Infinity);
    return {
      provider,
      last5Minutes: within(5 * MINUTE_MS),
      lastHour: within(HOUR_MS),
      last24Hours: within(HOURS_SHOWN * HOUR_MS),
      hours: hoursBefore(nowMs).map((fromMs) => ({
        fromMs,
        percent: percentOf(own, fromMs, fromMs + HOUR_MS),
      })),
    };
  });
}

function hoursBefore(nowMs: number): readonly number[] {
  const running = nowMs - (nowMs % HOUR_MS);
  return Array.from({ length: HOURS_SHOWN }, (_, index) => running - (HOURS_SHOWN - 1 - index) * HOUR_MS);
}

function percentOf(minutes: readonly ProviderMinute[], fromMs: number, toMs: number): SuccessPercent {
  let answered = 0;
  let failed = 0;
  for (const minute of minutes) {
    if (minute.minuteMs < fromMs || minute.minuteMs >= toMs) continue;
    answered += minute.answered;
    failed += minute.failed;
  }
  const calls = answered + failed;
  return calls === 0 ? null : Math.floor((answered * 1_000) / calls) / 10;
}
