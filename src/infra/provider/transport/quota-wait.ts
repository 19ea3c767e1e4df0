import type { IncomingHttpHeaders } from 'node:http';

/** Limits by the names of HEADERS §3: the header that says what is left, and the one that says until when. */
const LIMITS: readonly (readonly [remaining: string, reset: string])[] = [
  ['x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'],
  ['x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens'],
  ['anthropic-ratelimit-requests-remaining', 'anthropic-ratelimit-requests-reset'],
  ['anthropic-ratelimit-tokens-remaining', 'anthropic-ratelimit-tokens-reset'],
  ['anthropic-ratelimit-input-tokens-remaining', 'anthropic-ratelimit-input-tokens-reset'],
  ['anthropic-ratelimit-output-tokens-remaining', 'anthropic-ratelimit-output-tokens-reset'],
];

const MS_PER_UNIT: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
/** `12ms`, `1s`, `6m0s`, `1h2m3.5s`: units from large to small, each at most once. */
const DURATION = /^(?:\d+d)?(?:\d+h)?(?:\d+m(?!s))?(?:\d+(?:\.\d+)?s)?(?:\d+(?:\.\d+)?ms)?$/;
const PART = /(\d+(?:\.\d+)?)(ms|[dhms])/g;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * How long a limit that this answer used up stays used up, milliseconds; the longest of several. Null: none is used up,
 * or no reset lies in the future. Values are parsed strictly: Azure's -1, or whatever else isn't `0`, means nothing.
 */
export function quotaWaitMs(headers: IncomingHttpHeaders, nowMs: number): number | null {
  let longest: number | null = null;
  for (const [remaining, reset] of LIMITS) {
    const until = headers[reset];
    if (headers[remaining] !== '0' || typeof until !== 'string') continue;
    const waitMs = RFC_3339.test(until) ? Date.parse(until) - nowMs : durationMs(until);
    if (waitMs > 0) longest = Math.max(longest ?? 0, waitMs);
  }
  return longest;
}

/** NaN for what is no duration: it compares as longer than no wait. */
function durationMs(text: string): number {
  if (text === '' || !DURATION.test(text)) return NaN;
  let sum = 0;
  for (const [, amount, unit] of text.matchAll(PART))
    sum += Number(amount) * (MS_PER_UNIT[unit ?? ''] ?? NaN);
  return Math.ceil(sum);
}
