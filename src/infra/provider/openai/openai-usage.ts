import { tokenCount } from '../../../domain/interaction/token-count';
import { NO_USAGE } from '../../../domain/interaction/usage';
import type { Usage } from '../../../domain/interaction/usage';
import type { JsonObject, JsonValue } from '../../../domain/kernel/json';
import { isJsonObject } from '../../../domain/kernel/json';

/** The usage that a chunk or a completion reports; Groq has it in a member of its own. */
export function reportedUsage({ usage, x_groq: groq }: JsonObject): Usage {
  return readUsage(usage ?? (isJsonObject(groq) ? groq.usage : undefined));
}

/** Chat Completions counters as our usage (WIRE §10.2, §11 rule 7). Impossible values become null; `raw` keeps them. */
export function readUsage(raw: JsonValue | undefined): Usage {
  if (!isJsonObject(raw)) return NO_USAGE;
  const inputTokens = tokenCount(raw.prompt_tokens);
  const outputTokens = outputOf(raw, inputTokens);
  const input = objectOf(raw.prompt_tokens_details);
  const output = objectOf(raw.completion_tokens_details);
  const cached =
    tokenCount(input.cached_tokens) ??
    tokenCount(raw.cached_tokens) ??
    tokenCount(raw.prompt_cache_hit_tokens);
  return {
    inputTokens,
    cachedInputTokens: atMost(inputTokens, cached),
    cacheWriteTokens: atMost(inputTokens, tokenCount(input.cache_write_tokens)),
    outputTokens,
    reasoningTokens: atMost(
      outputTokens,
      tokenCount(output.reasoning_tokens) ?? tokenCount(raw.reasoning_tokens),
    ),
    source: inputTokens === null && outputTokens === null ? 'none' : 'provider',
    raw,
  };
}

/** A total above the sum holds reasoning that the completion count left out. It is billed, so it is output. */
function outputOf(raw: JsonObject, inputTokens: number | null): number | null {
  const completion = tokenCount(raw.completion_tokens);
  const total = tokenCount(raw.total_tokens);
  if (inputTokens === null || total === null || total < inputTokens) return completion;
  return Math.max(completion ?? 0, total - inputTokens);
}

/** A part can't be larger than its whole. */
function atMost(whole: number | null, part: number | null): number | null {
  return part !== null && whole !== null && part > whole ? null : part;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
