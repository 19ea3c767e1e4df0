import type { Draws } from '../support/money/draws';
import { MAX_OUTPUT_TOKENS } from '../support/money/mix';

export const TENANTS = ['plain', 'paying'] as const;
export type SoakTenant = (typeof TENANTS)[number];

/** In every question, and so in every answer: it must be nowhere but there. */
export const CANARY = 'soakcanary';

/**
 * `asks`: once. `doubles`: the same at both gateways at the same instant. `repeats`: again afterwards, elsewhere. The last
 * three come with an `Idempotency-Key`. `leaves`: doesn't wait for the end.
 */
const WAYS = { asks: 50, leaves: 10, doubles: 15, repeats: 15, leaves_and_repeats: 10 } as const;
export type CallerWay = keyof typeof WAYS;

/** What one caller wants to know, and how he goes about it. */
export type Question = Readonly<{
  /** Stands in the question, so that a provider can say which one it got. */
  tag: string;
  tenant: SoakTenant;
  way: CallerWay;
  idempotencyKey: string | null;
  text: string;
  body: Readonly<{ stream: boolean; [member: string]: unknown }>;
}>;

const TAG = /question-\d{6}/;

export function tagIn(text: string): string {
  return TAG.exec(text)?.[0] ?? '';
}

export function questionOf(number: number, draws: Draws): Question {
  const tag = `question-${String(number).padStart(6, '0')}`;
  const way = draws.weighted(WAYS);
  const stream = draws.happens(60);
  // Words, one of which is a chunk: some streams take seconds at a slow provider.
  const words = draws.happens(30) ? draws.between(40, 70) : draws.between(2, 8);
  const text = `${CANARY} ${tag} ${'why? '.repeat(words)}`.trim();
  return {
    tag,
    tenant: draws.oneOf(TENANTS),
    way,
    idempotencyKey: way === 'asks' || way === 'leaves' ? null : `key-of-${tag}`,
    text,
    body: {
      model: draws.happens(70) ? 'gpt-4o-mini' : 'claude-haiku-4-5',
      stream,
      max_tokens: MAX_OUTPUT_TOKENS,
      messages: [{ role: 'user', content: text }],
    },
  };
}
