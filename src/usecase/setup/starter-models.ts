import type { Model } from '../../domain/catalog/model';
import type { ModelContract } from '../../domain/catalog/model-contract';

/** What OpenAI's chat models have in common. */
const OPENAI: ModelContract = {
  contextTokens: 128_000,
  maxOutputTokens: 16_384,
  streaming: true,
  tools: true,
  forcedToolChoice: true,
  jsonSchema: true,
  jsonObject: true,
  vision: true,
  files: true,
  audio: false,
  multipleChoices: true,
  logprobs: true,
  legacyFunctions: true,
  prefill: true,
  midConversationSystem: true,
  sampling: 'any',
  thinking: 'none',
  effortLevels: [],
};

/** What Anthropic's 4.5 family has in common (WIRE §9). */
const CLAUDE_4_5: ModelContract = {
  contextTokens: 200_000,
  maxOutputTokens: 64_000,
  streaming: true,
  tools: true,
  forcedToolChoice: true,
  jsonSchema: true,
  jsonObject: false,
  vision: true,
  files: true,
  audio: false,
  multipleChoices: false,
  logprobs: false,
  legacyFunctions: false,
  prefill: true,
  midConversationSystem: false,
  sampling: 'one_of_both',
  thinking: 'manual',
  effortLevels: [],
};

/** The generations after it: a larger window, adaptive thinking, no prefill. */
const CLAUDE_LATER: ModelContract = {
  ...CLAUDE_4_5,
  contextTokens: 1_000_000,
  maxOutputTokens: 128_000,
  prefill: false,
  effortLevels: ['low', 'medium', 'high', 'xhigh', 'max'],
};

/** Reasoning models of OpenAI refuse `max_tokens` (WIRE §11). */
const GPT_5: Partial<ModelContract> = {
  contextTokens: 400_000,
  maxOutputTokens: 128_000,
  logprobs: false,
  tokenLimitField: 'max_completion_tokens',
};
const GPT_4_1: Partial<ModelContract> = { contextTokens: 1_047_576, maxOutputTokens: 32_768 };

/** The models that a first run offers, for each provider whose credential is there. Operators add and change them at will. */
export const STARTER_MODELS: readonly Model[] = [
  openai('gpt-4o-mini', {}),
  openai('gpt-4o', {}),
  openai('gpt-4.1', GPT_4_1),
  openai('gpt-4.1-mini', GPT_4_1),
  openai('gpt-5', GPT_5),
  openai('gpt-5-mini', GPT_5),
  openai('gpt-5-nano', GPT_5),
  claude('claude-haiku-4-5', CLAUDE_4_5),
  claude('claude-sonnet-4-5', CLAUDE_4_5),
  claude('claude-opus-4-5', { ...CLAUDE_4_5, effortLevels: ['low', 'medium', 'high'] }),
  claude('claude-sonnet-4-6', {
    ...CLAUDE_LATER,
    thinking: 'adaptive_off',
    effortLevels: ['low', 'medium', 'high', 'max'],
  }),
  claude('claude-opus-4-8', {
    ...CLAUDE_LATER,
    thinking: 'adaptive_off',
    sampling: 'defaults_only',
    midConversationSystem: true,
  }),
  claude('claude-sonnet-5', { ...CLAUDE_LATER, thinking: 'adaptive_on', sampling: 'defaults_only' }),
  claude('claude-opus-5', {
    ...CLAUDE_LATER,
    thinking: 'adaptive_on',
    sampling: 'defaults_only',
    midConversationSystem: true,
  }),
];

function openai(name: string, differences: Partial<ModelContract>): Model {
  return { name, aliases: [], provider: 'openai', contract: { ...OPENAI, ...differences } };
}

function claude(name: string, contract: ModelContract): Model {
  return { name, aliases: [], provider: 'anthropic', contract };
}
