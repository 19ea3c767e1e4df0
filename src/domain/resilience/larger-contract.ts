import type { ModelContract } from '../catalog/model-contract';
import type { Fault } from './fault';

/** What providers call it when input and output together don't fit the model's context (FAILURES §3.2). */
const CONTEXT_LENGTH_CODES: readonly string[] = [
  'context_length_exceeded',
  'exceed_context_size_error',
  'too_many_prompt_tokens',
];

/** Codes of a request that is too large in some other way; a larger context is the only size that a catalog records. */
const SIZE_CODES: readonly string[] = [
  'string_above_max_length',
  'request_too_large',
  'request_body_too_large_after_decoding',
];

type Capability =
  'tools' | 'jsonSchema' | 'logprobs' | 'multipleChoices' | 'legacyFunctions' | 'forcedToolChoice';

/** The capability that a request field needs, for providers that name the field which they don't support. */
const CAPABILITY_OF_PARAM: Readonly<Record<Capability, readonly string[]>> = {
  tools: ['tools', 'parallel_tool_calls'],
  forcedToolChoice: ['tool_choice'],
  jsonSchema: ['response_format'],
  logprobs: ['logprobs', 'top_logprobs'],
  multipleChoices: ['n'],
  legacyFunctions: ['functions', 'function_call'],
};

/** Whether the fault says that the context was too small: the one contract fault that a policy can fail over on. */
export function isContextLength(fault: Fault): boolean {
  return fault.class === 'contract' && fault.code !== null && CONTEXT_LENGTH_CODES.includes(fault.code);
}

/** Whether an offering holds recorded more context than another. An unknown size is larger than none, and none than it. */
export function holdsMoreContext(failed: ModelContract, offered: ModelContract): boolean {
  if (failed.contextTokens === null || offered.contextTokens === null) return false;
  return offered.contextTokens > failed.contextTokens;
}

/**
 * Whether an offering is recorded to do what another just refused (FAILURES §1). Without such a record the fault counts
 * as the caller's. A 404 says only that the model isn't there, so any other channel of the model will do (DESIGN §6).
 */
export function mayDoBetter(fault: Fault, failed: ModelContract, offered: ModelContract): boolean {
  if (fault.status === 404) return true;
  if (isSizeFault(fault)) return holdsMoreContext(failed, offered);
  const needed = Object.entries(CAPABILITY_OF_PARAM).find(([, params]) => params.includes(fault.param ?? ''));
  if (needed === undefined) return false;
  const capability = needed[0] as Capability;
  return offered[capability] && !failed[capability];
}

function isSizeFault(fault: Fault): boolean {
  if (isContextLength(fault) || fault.status === 413) return true;
  return fault.code !== null && SIZE_CODES.includes(fault.code);
}
