import type { ModelContract } from '../../domain/catalog/model-contract';

/**
 * What a model is taken to do where its entry says nothing: what nearly every chat model does is on, what only some do is
 * off. A wrong `false` is a refusal that names the field to correct; a wrong `true` would be a failed attempt.
 */
export const DEFAULT_CONTRACT: ModelContract = {
  contextTokens: null,
  maxOutputTokens: null,
  streaming: true,
  tools: true,
  forcedToolChoice: true,
  jsonSchema: false,
  jsonObject: true,
  vision: false,
  files: false,
  audio: false,
  multipleChoices: false,
  logprobs: false,
  legacyFunctions: false,
  prefill: false,
  midConversationSystem: false,
  sampling: 'any',
  thinking: 'none',
  effortLevels: [],
};
