import type { JsonObject } from '../kernel/json';

/**
 * Tokens of one attempt, normalised once (WIRE §10.2): `inputTokens` contains the cached and the cache-write tokens,
 * `outputTokens` contains the reasoning. Null: not reported, or an impossible value.
 */
export type Usage = Readonly<{
  inputTokens: number | null;
  cachedInputTokens: number | null;
  cacheWriteTokens: number | null;
  /** The part of `cacheWriteTokens` that went to a cache which lives an hour; absent or null: none was reported. */
  cacheWrite1hTokens?: number | null;
  outputTokens: number | null;
  reasoningTokens: number | null;
  /** `estimated`: the provider's own count never came, e.g. because the caller hung up. */
  source: 'provider' | 'estimated' | 'none';
  /** The provider's own counters, as evidence. */
  raw: JsonObject | null;
}>;

export const NO_USAGE: Usage = {
  inputTokens: null,
  cachedInputTokens: null,
  cacheWriteTokens: null,
  outputTokens: null,
  reasoningTokens: null,
  source: 'none',
  raw: null,
};

/** Stream usage is cumulative: per field the last reported value wins, an absent one keeps the earlier, and 0 is a value. */
export function mergeUsage(earlier: Usage, later: Usage): Usage {
  if (later.source === 'none') return earlier;
  return {
    inputTokens: later.inputTokens ?? earlier.inputTokens,
    cachedInputTokens: later.cachedInputTokens ?? earlier.cachedInputTokens,
    cacheWriteTokens: later.cacheWriteTokens ?? earlier.cacheWriteTokens,
    cacheWrite1hTokens: later.cacheWrite1hTokens ?? earlier.cacheWrite1hTokens ?? null,
    outputTokens: later.outputTokens ?? earlier.outputTokens,
    reasoningTokens: later.reasoningTokens ?? earlier.reasoningTokens,
    source: later.source,
    raw: later.raw === null ? earlier.raw : { ...earlier.raw, ...later.raw },
  };
}
