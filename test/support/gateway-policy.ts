/** The policy document as an admin sends it. */
export type PolicyBody = Readonly<Record<string, unknown>>;

export const MINI = { provider: 'openai', model: 'gpt-4o-mini' };
export const HAIKU = { provider: 'anthropic', model: 'claude-haiku-4-5' };

/** The timings of the cases from the field (CASES, "How to read the cases"), so that no test waits long for anything. */
export const SHORT_TIMINGS: PolicyBody = {
  retry: { max_retries: 2, max_retries_before_fallback: 1, base_delay_ms: 10, max_delay_ms: 200, jitter: 0 },
  timeouts: {
    headers_ms: 5_000,
    stream_headers_ms: 5_000,
    stream_gate_ms: 3_000,
    idle_ms: 3_000,
    deadline_ms: 10_000,
  },
  min_attempt_ms: 1,
};

/** Primary gpt-4o-mini at OpenAI, fallback claude-haiku-4-5 at Anthropic, which is 8.3 times as dear. */
export function miniFirst(changes: PolicyBody = {}): PolicyBody {
  return {
    match: ['gpt-4o-mini', 'auto'],
    primary: MINI,
    fallbacks: [HAIKU],
    max_fallback_cost_multiplier: 10,
    ...SHORT_TIMINGS,
    ...changes,
  };
}

/** The same in reverse. */
export function haikuFirst(changes: PolicyBody = {}): PolicyBody {
  return { match: ['claude-haiku-4-5'], primary: HAIKU, fallbacks: [MINI], ...SHORT_TIMINGS, ...changes };
}

/** One primary and nothing else. */
export function only(primary: typeof MINI, changes: PolicyBody = {}): PolicyBody {
  return { match: [primary.model], primary, fallbacks: [], ...SHORT_TIMINGS, ...changes };
}

/** Some timeouts of the document changed, the others short. */
export function timeouts(changes: Readonly<Record<string, number>>): PolicyBody {
  return { timeouts: { ...(SHORT_TIMINGS['timeouts'] as object), ...changes } };
}
