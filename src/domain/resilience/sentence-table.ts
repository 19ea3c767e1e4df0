import type { ErrorObject } from './error-object';
import type { Verdict } from './fault-class';

/** A sentence that a provider documents or that was recorded, where it has no code for the case. */
export type SentenceRow = Readonly<{
  provider: string;
  /** Lower case. The message must begin with it: behind a beginning, callers' own words may be quoted. */
  begins: string;
  on: readonly number[];
  as: number;
  /** Our word: where prose decides, the provider has none. */
  code: string;
}> &
  Verdict;

const CONTEXT = { class: 'contract', code: 'context_length_exceeded' } as const;

/** The only places where prose decides (FAILURES §3.2). It never proves an account fault: text is no structure. */
export const SENTENCE_TABLE: readonly SentenceRow[] = [
  {
    provider: 'Anthropic',
    begins: 'your credit balance is too low to access the anthropic api',
    on: [400],
    as: 400,
    class: 'credential',
    code: 'credit_balance_too_low',
  },
  { provider: 'Anthropic', begins: 'prompt is too long', on: [400, 413], as: 400, ...CONTEXT },
  {
    provider: 'Anthropic',
    begins: 'this model does not support the effort parameter',
    on: [400],
    as: 400,
    class: 'contract',
    code: 'unsupported_parameter',
  },
  {
    provider: 'Anthropic',
    begins: 'this model does not support effort level',
    on: [400],
    as: 400,
    class: 'contract',
    code: 'unsupported_value',
  },
  {
    provider: 'Anthropic',
    begins: '"thinking.type.',
    on: [400],
    as: 400,
    class: 'contract',
    code: 'unsupported_value',
  },
  {
    provider: 'Anthropic',
    begins: 'adaptive thinking is not supported on this model',
    on: [400],
    as: 400,
    class: 'contract',
    code: 'unsupported_value',
  },
  {
    provider: 'Anthropic',
    begins: 'this model does not support assistant message prefill',
    on: [400],
    as: 400,
    class: 'contract',
    code: 'unsupported_value',
  },
  {
    provider: 'Anthropic',
    begins: "role 'system' is not supported on this model",
    on: [400],
    as: 400,
    class: 'contract',
    code: 'unsupported_value',
  },
  // Larger than the account's whole budget per minute: no wait can help.
  {
    provider: 'OpenAI',
    begins: 'request too large for',
    on: [429],
    as: 429,
    class: 'contract',
    code: 'request_too_large',
  },
  {
    provider: 'OpenAI, DeepSeek',
    begins: "this model's maximum context length is",
    on: [400, 403],
    as: 400,
    ...CONTEXT,
  },
  {
    provider: 'OpenRouter',
    begins: "this endpoint's maximum context length is",
    on: [400, 403],
    as: 400,
    ...CONTEXT,
  },
  {
    provider: 'Together',
    begins: 'input validation error: `inputs` tokens + `max_new_tokens` must be',
    on: [400, 403, 422],
    as: 400,
    ...CONTEXT,
  },
  {
    provider: 'Ollama',
    begins: 'prompt too long; exceeded max context length',
    on: [400],
    as: 400,
    ...CONTEXT,
  },
];

/** The sentence that the error's message begins with, under a status where it is known to mean this. */
export function findSentenceRow(error: ErrorObject, status: number | null): SentenceRow | null {
  const message = error.message?.toLowerCase() ?? '';
  const row = SENTENCE_TABLE.find(
    ({ begins, on }) => message.startsWith(begins) && (status === null || on.includes(status)),
  );
  return row ?? null;
}
