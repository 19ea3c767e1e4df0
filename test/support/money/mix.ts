import { Draws } from './draws';
import { courseOf, type Course } from './mix-course';

/** A random mix of interactions: the same numbers give the same cases, in the gateway's callers and in its providers. */
export type Mix = Readonly<{
  seed: number;
  cases: number;
  /** How often the gateway is killed on the way. */
  kills: number;
}>;

export type PaidTenant = 'demo' | 'poor';

/** What one caller wants, how he goes about it, and what the providers make of it. */
export type Case = Readonly<{
  index: number;
  /** Stands in the question, so that a provider knows whose call it has got. */
  tag: string;
  /** `poor` runs out of money on the way. */
  tenant: PaidTenant;
  caller: CallerWay;
  idempotencyKey: string | null;
  service: string | null;
  body: Readonly<{ stream: boolean; [member: string]: unknown }>;
}> &
  Course;

/**
 * `repeats`, `doubles`: the same again, afterwards or at the same instant. `alters`: another body under the same key.
 * `leaves_waiting`: before anything was said; `leaves_reading`: in the middle of an answer.
 */
export type CallerWay = keyof typeof WAYS;

const WAYS = {
  asks: 56,
  repeats: 15,
  doubles: 8,
  alters: 4,
  leaves_waiting: 5,
  leaves_reading: 12,
} as const;

const KEYED: Readonly<Record<CallerWay, number>> = {
  asks: 15,
  repeats: 100,
  doubles: 100,
  alters: 100,
  // A repeat must find a provider that answers, and whether the first call got there isn't known.
  leaves_waiting: 0,
  leaves_reading: 60,
};

/** Mostly cheap first, dear second. `auto` holds each answer until it is complete. */
const MODELS = { 'gpt-4o-mini': 65, auto: 10, 'claude-haiku-4-5': 25 } as const;

/** No answer is longer, whoever is asked: it bounds what a guess about one can be wrong by. */
export const MAX_OUTPUT_TOKENS = 120;

/** A process that has seen a few successes doesn't open a circuit for the faults of a mix. */
const CALM_CASES = 20;

export const TAG = /case-\d{6}/;

/** The cases whose start kills the gateway, evenly spread. */
export function killsOf({ cases, kills }: Mix): readonly number[] {
  return Array.from({ length: kills }, (_, kill) => Math.floor(((kill + 1) * cases) / (kills + 1)));
}

export function caseOf(mix: Mix, index: number): Case {
  const draws = new Draws(mix.seed * 1_000_003 + index);
  const tag = `case-${String(index).padStart(6, '0')}`;
  const caller = draws.weighted(WAYS);
  const stream = caller === 'leaves_reading' || draws.happens(60);
  const model = draws.weighted(MODELS);
  return {
    index,
    tag,
    tenant: draws.happens(8) ? 'poor' : 'demo',
    caller,
    idempotencyKey: draws.happens(KEYED[caller]) ? `key-of-${tag}` : null,
    service: draws.oneOf(['billing', 'search', null]),
    body: {
      model,
      stream,
      ...(stream && draws.happens(50) ? { stream_options: { include_usage: true } } : {}),
      max_tokens: MAX_OUTPUT_TOKENS,
      messages: [{ role: 'user', content: `${tag} ${'why? '.repeat(draws.between(0, 40))}` }],
    },
    ...courseOf(draws, { model, stream, caller, calm: isCalm(mix, index) }),
  };
}

function isCalm(mix: Mix, index: number): boolean {
  return [0, ...killsOf(mix)].some((start) => index >= start && index < start + CALM_CASES);
}
