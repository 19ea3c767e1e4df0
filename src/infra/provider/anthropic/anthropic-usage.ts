import { tokenCount } from '../../../domain/interaction/token-count';
import type { Usage } from '../../../domain/interaction/usage';
import { NO_USAGE } from '../../../domain/interaction/usage';
import type { JsonObject, JsonValue } from '../../../domain/kernel/json';
import { isJsonObject } from '../../../domain/kernel/json';

/**
 * Anthropic's counters over one stream. They are cumulative: per field the last reported value wins, an absent or null one
 * keeps the earlier, and 0 is a value. Never a sum (WIRE §10.2).
 */
export function mergeCounters(earlier: JsonObject | null, later: JsonValue | undefined): JsonObject | null {
  if (!isJsonObject(later)) return earlier;
  return { ...earlier, ...Object.fromEntries(Object.entries(later).filter(([, value]) => value !== null)) };
}

/** Anthropic's input buckets are disjoint; ours contains the cached and the cache-write tokens. `raw` keeps the counters. */
export function readUsage(raw: JsonObject | null): Usage {
  if (raw === null) return NO_USAGE;
  const uncached = tokenCount(raw.input_tokens);
  const cached = tokenCount(raw.cache_read_input_tokens);
  const written = tokenCount(raw.cache_creation_input_tokens);
  const outputTokens = tokenCount(raw.output_tokens);
  return {
    inputTokens: uncached === null ? null : uncached + (cached ?? 0) + (written ?? 0),
    cachedInputTokens: cached,
    cacheWriteTokens: written,
    cacheWrite1hTokens: writtenFor1h(raw, written),
    outputTokens,
    reasoningTokens: reasoningIn(raw, outputTokens),
    source: uncached === null && outputTokens === null ? 'none' : 'provider',
    raw,
  };
}

/** The two lifetimes are parts of all that was written. */
function writtenFor1h({ cache_creation: creation }: JsonObject, written: number | null): number | null {
  const forAnHour = isJsonObject(creation) ? tokenCount(creation.ephemeral_1h_input_tokens) : null;
  return forAnHour !== null && forAnHour > (written ?? 0) ? null : forAnHour;
}

/** Thinking is a part of the output, so it can't be more. */
function reasoningIn(
  { output_tokens_details: details }: JsonObject,
  outputTokens: number | null,
): number | null {
  const thinking = isJsonObject(details) ? tokenCount(details.thinking_tokens) : null;
  return thinking !== null && outputTokens !== null && thinking > outputTokens ? null : thinking;
}

/** The counters in OpenAI's form; null where a total isn't known, because a made-up one would be billed. */
export function openAiUsage(usage: Usage): JsonObject | null {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens } = usage;
  if (inputTokens === null || outputTokens === null) return null;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: {
      cached_tokens: cachedInputTokens ?? 0,
      cache_write_tokens: cacheWriteTokens ?? 0,
    },
    ...(reasoningTokens === null ? {} : { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  };
}

/** The tier that served, in OpenAI's words; undefined where there is none. */
export function serviceTierOf(raw: JsonObject | null): string | undefined {
  const tier = raw?.service_tier;
  if (tier === 'standard') return 'default';
  return tier === 'priority' ? 'priority' : undefined;
}
