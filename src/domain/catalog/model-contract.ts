import type { WritingRules } from './writing-rules';

/**
 * What a model (or an offering of it) can do: data for the contract gate and for translation.
 * Capabilities age, so they live in the catalog and are never guessed from a model's name.
 */
export type ModelContract = Capabilities & Partial<WritingRules>;

type Capabilities = Readonly<{
  /** Input and output together; null: unknown, so it doesn't refuse. */
  contextTokens: number | null;
  maxOutputTokens: number | null;
  streaming: boolean;
  tools: boolean;
  /** `tool_choice` `required` or a named function. */
  forcedToolChoice: boolean;
  /** `response_format: json_schema`. */
  jsonSchema: boolean;
  /** `response_format: json_object`. */
  jsonObject: boolean;
  vision: boolean;
  /** PDF and text files as content parts. */
  files: boolean;
  audio: boolean;
  /** `n` above 1. */
  multipleChoices: boolean;
  logprobs: boolean;
  /** The deprecated `functions` and `function_call`. */
  legacyFunctions: boolean;
  /** An assistant message at the end of the conversation that the model continues. */
  prefill: boolean;
  /** `system` entries inside a Messages conversation (WIRE §3); always possible on Chat Completions. */
  midConversationSystem: boolean;
  /** Which of temperature and top_p are accepted. */
  sampling: SamplingSupport;
  thinking: ThinkingKind;
  /** Values of Anthropic's `output_config.effort` that the model knows; empty: it has no such control. */
  effortLevels: readonly string[];
}>;

export type SamplingSupport = 'any' | 'one_of_both' | 'defaults_only' | 'none';
/** WIRE §7.1. `none`: the model doesn't think, or its wire needs no thinking parameters from us. */
export type ThinkingKind = 'none' | 'manual' | 'adaptive_off' | 'adaptive_on' | 'always';
