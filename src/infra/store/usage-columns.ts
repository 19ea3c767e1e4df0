import type { Usage } from '../../domain/interaction/usage';
import type { JsonObject } from '../../domain/kernel/json';
import { fromNullableJson, toNullableJson } from './json-column';

/** Tokens are columns of their own, so that reports add them up in the store. */
export type UsageColumns = Readonly<{
  input_tokens: number | null;
  cached_input_tokens: number | null;
  cache_write_tokens: number | null;
  cache_write_1h_tokens: number | null;
  output_tokens: number | null;
  reasoning_tokens: number | null;
  usage_source: Usage['source'];
  usage_raw: string | null;
}>;

/** As read: a row that hasn't ended yet has no usage. */
export type StoredUsageColumns = Readonly<{ [C in keyof UsageColumns]: UsageColumns[C] | null }>;

export function usageColumnsOf(usage: Usage): UsageColumns {
  return {
    input_tokens: usage.inputTokens,
    cached_input_tokens: usage.cachedInputTokens,
    cache_write_tokens: usage.cacheWriteTokens,
    cache_write_1h_tokens: usage.cacheWrite1hTokens ?? null,
    output_tokens: usage.outputTokens,
    reasoning_tokens: usage.reasoningTokens,
    usage_source: usage.source,
    usage_raw: toNullableJson(usage.raw),
  };
}

export function usageOf(columns: StoredUsageColumns): Usage {
  return {
    inputTokens: columns.input_tokens,
    cachedInputTokens: columns.cached_input_tokens,
    cacheWriteTokens: columns.cache_write_tokens,
    cacheWrite1hTokens: columns.cache_write_1h_tokens,
    outputTokens: columns.output_tokens,
    reasoningTokens: columns.reasoning_tokens,
    source: columns.usage_source ?? 'none',
    raw: fromNullableJson<JsonObject>(columns.usage_raw),
  };
}
