import { matchesCode } from './code-pattern';
import type { ErrorObject } from './error-object';
import type { Verdict } from './fault-class';

/** One line of FAILURES §3.2. */
export type CodeRow = Readonly<{
  provider: string;
  /** A star at the end stands for any ending. */
  codes: readonly string[];
  /** Effective statuses under which the code means this; absent: any. */
  on?: readonly number[];
  /** The status that such an error stands for when it comes inside a 200. */
  as: number;
  /** Only together with a usable wait. */
  onlyWithWait?: true;
}> &
  Verdict;

const ACCOUNT = { class: 'credential', accountEvidence: true } as const;
const SERVER = [500, 502, 503, 504, 529];

/** FAILURES §3.2. Providers that it classifies "by number" have no row here: the status table serves them. */
export const CODE_TABLE: readonly CodeRow[] = [
  {
    provider: 'OpenAI',
    codes: [
      'insufficient_quota',
      'credit_balance_exhausted',
      'organization_spend_limit_exceeded',
      'project_spend_limit_exceeded',
      'organization_usage_limit_exceeded',
      'billing_hard_limit_reached',
    ],
    as: 429,
    ...ACCOUNT,
  },
  {
    provider: 'OpenAI',
    codes: ['rate_limit_exceeded', 'slow_down', 'requests', 'tokens'],
    on: [429],
    as: 429,
    class: 'rate_limited',
  },
  { provider: 'OpenAI', codes: ['model_not_found'], on: [400, 404], as: 404, class: 'contract' },
  {
    provider: 'OpenAI',
    codes: ['context_length_exceeded', 'string_above_max_length'],
    as: 400,
    class: 'contract',
  },
  { provider: 'OpenAI', codes: ['unsupported_parameter', 'unsupported_value'], as: 400, class: 'contract' },
  { provider: 'OpenAI', codes: ['content_policy_violation', 'content_filter'], as: 400, class: 'refusal' },
  { provider: 'OpenAI', codes: ['invalid_prompt'], on: [400], as: 400, class: 'refusal' },
  { provider: 'OpenAI', codes: ['invalid_api_key'], as: 401, ...ACCOUNT },
  {
    provider: 'OpenAI',
    codes: ['unsupported_country_region_territory', 'insufficient_permissions'],
    as: 403,
    ...ACCOUNT,
  },
  {
    provider: 'OpenAI',
    codes: ['server_is_overloaded', 'service_unavailable_error'],
    on: SERVER,
    as: 503,
    class: 'server_error',
  },
  { provider: 'OpenAI', codes: ['server_error'], on: SERVER, as: 500, class: 'server_error' },

  { provider: 'Azure', codes: ['PermissionDenied', 'AuthenticationTypeDisabled'], as: 403, ...ACCOUNT },
  { provider: 'Azure', codes: ['DeploymentNotFound'], on: [404], as: 404, class: 'contract' },
  {
    provider: 'Azure',
    codes: ['RateLimitReached', 'too_many_requests', 'NoCapacity'],
    on: [429],
    as: 429,
    class: 'rate_limited',
  },
  { provider: 'Azure', codes: ['ResponsibleAIPolicyViolation'], as: 400, class: 'refusal' },

  {
    provider: 'Anthropic',
    codes: ['organization_on_hold', 'cmek_key_disabled', 'cmek_key_network_blocked'],
    as: 400,
    ...ACCOUNT,
  },
  { provider: 'Anthropic', codes: ['linked_organization_*'], as: 402, ...ACCOUNT },
  {
    provider: 'Anthropic',
    codes: ['enforced_spend_limit_reached', 'contract_spend_limit_reached'],
    as: 429,
    ...ACCOUNT,
  },
  {
    provider: 'Anthropic',
    codes: ['cmek_key_unreachable', 'cmek_context_unavailable'],
    as: 503,
    class: 'server_error',
  },
  { provider: 'Anthropic', codes: ['compaction_unavailable'], as: 529, class: 'server_error' },
  { provider: 'Anthropic', codes: ['ramp_limit_exceeded'], as: 429, class: 'rate_limited' },
  { provider: 'Anthropic', codes: ['request_body_too_large_after_decoding'], as: 413, class: 'contract' },
  { provider: 'Anthropic', codes: ['image_dimensions_too_large'], as: 400, class: 'caller' },
  { provider: 'Anthropic', codes: ['authentication_error'], as: 401, ...ACCOUNT },
  { provider: 'Anthropic', codes: ['billing_error'], as: 402, ...ACCOUNT },
  { provider: 'Anthropic', codes: ['permission_error'], as: 403, ...ACCOUNT },
  { provider: 'Anthropic', codes: ['not_found_error'], on: [404], as: 404, class: 'contract' },
  { provider: 'Anthropic', codes: ['request_too_large'], on: [413], as: 413, class: 'contract' },
  { provider: 'Anthropic', codes: ['rate_limit_error'], on: [429], as: 429, class: 'rate_limited' },
  { provider: 'Anthropic', codes: ['conflict_error'], on: [409], as: 409, class: 'server_error' },
  // Ollama uses api_error under 401 and 404 too, where the status knows better.
  { provider: 'Anthropic', codes: ['api_error'], on: SERVER, as: 500, class: 'server_error' },
  { provider: 'Anthropic', codes: ['timeout_error'], on: SERVER, as: 504, class: 'server_error' },
  { provider: 'Anthropic', codes: ['overloaded_error'], as: 529, class: 'server_error', code: 'overloaded' },
  { provider: 'both wires', codes: ['invalid_request_error'], on: [400], as: 400, class: 'caller' },

  { provider: 'Gemini', codes: ['quota_per_day', 'quota_limit_zero'], as: 429, ...ACCOUNT },
  { provider: 'Gemini', codes: ['API_KEY_INVALID', 'UNAUTHENTICATED'], as: 401, ...ACCOUNT },
  { provider: 'Gemini', codes: ['PERMISSION_DENIED'], as: 403, ...ACCOUNT },
  {
    provider: 'Gemini',
    codes: ['MODEL_CAPACITY_EXHAUSTED', 'UNAVAILABLE'],
    on: SERVER,
    as: 503,
    class: 'server_error',
  },
  { provider: 'Gemini', codes: ['INTERNAL'], on: SERVER, as: 500, class: 'server_error' },
  { provider: 'Gemini', codes: ['DEADLINE_EXCEEDED'], on: SERVER, as: 504, class: 'server_error' },
  { provider: 'Gemini', codes: ['RESOURCE_EXHAUSTED'], on: [429], as: 429, class: 'rate_limited' },

  {
    provider: 'OpenRouter',
    codes: ['in_flight_budget_exhausted', 'openrouter_in_flight_budget'],
    on: [402],
    as: 402,
    onlyWithWait: true,
    class: 'rate_limited',
  },
  {
    provider: 'OpenRouter',
    codes: [
      'openrouter_credits',
      'openrouter_key_limit',
      'openrouter_guardrail_budget',
      'openrouter_workspace_budget',
    ],
    on: [402, 403],
    as: 402,
    ...ACCOUNT,
  },
  { provider: 'OpenRouter', codes: ['moderation_reasons'], on: [403], as: 403, class: 'refusal' },
  {
    provider: 'any',
    codes: ['moderation_blocked', 'guardrail_blocked', 'policy_violation'],
    on: [400, 403],
    as: 403,
    class: 'refusal',
  },

  { provider: 'Groq', codes: ['tool_use_failed'], as: 400, class: 'malformed' },
  { provider: 'Mistral', codes: ['1300', '3505', 'rate_limited'], on: [429], as: 429, class: 'rate_limited' },
  { provider: 'Perplexity', codes: ['too_many_prompt_tokens'], as: 400, class: 'contract' },
  { provider: 'llama.cpp', codes: ['exceed_context_size_error'], as: 400, class: 'contract' },
  { provider: 'llama.cpp', codes: ['unavailable_error'], on: SERVER, as: 503, class: 'server_error' },
  { provider: 'Bedrock', codes: ['ThrottlingException'], on: [429], as: 429, class: 'rate_limited' },
  { provider: 'Bedrock', codes: ['ModelErrorException'], on: [424], as: 424, class: 'server_error' },
];

/** The row that knows one of the error's codes, with that code; the most specific code is asked for first. */
export function findCodeRow(
  error: ErrorObject,
  status: number | null,
  retryAfterMs: number | null,
): Readonly<{ row: CodeRow; code: string }> | null {
  for (const code of error.codes) {
    const row = CODE_TABLE.find(
      (candidate) =>
        candidate.codes.some((pattern) => matchesCode(pattern, code)) &&
        (status === null || candidate.on === undefined || candidate.on.includes(status)) &&
        (candidate.onlyWithWait === undefined || retryAfterMs !== null),
    );
    if (row !== undefined) return { row, code };
  }
  return null;
}
