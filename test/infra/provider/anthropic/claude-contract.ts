import type { ModelContract } from '../../../../src/domain/catalog/model-contract';
import type { JsonObject } from '../../../../src/domain/kernel/json';
import type { Result } from '../../../../src/domain/kernel/result';
import { translateRequest } from '../../../../src/infra/provider/anthropic/anthropic-request';
import type {
  Translation,
  TranslationContext,
  Untranslatable,
} from '../../../../src/infra/provider/anthropic/request/translation';

const CLAUDE: ModelContract = {
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
  prefill: false,
  midConversationSystem: false,
  sampling: 'one_of_both',
  thinking: 'none',
  effortLevels: [],
};

/** Rows of the table in WIRE §9. */
export const HAIKU_4_5: ModelContract = { ...CLAUDE, prefill: true, thinking: 'manual' };
export const OPUS_4_6: ModelContract = {
  ...CLAUDE,
  contextTokens: 1_000_000,
  maxOutputTokens: 128_000,
  thinking: 'adaptive_off',
  effortLevels: ['low', 'medium', 'high', 'max'],
};
export const OPUS_4_8: ModelContract = {
  ...OPUS_4_6,
  sampling: 'defaults_only',
  midConversationSystem: true,
  effortLevels: ['low', 'medium', 'high', 'xhigh', 'max'],
};
export const OPUS_5: ModelContract = { ...OPUS_4_8, thinking: 'adaptive_on' };
export const OPUS_5_5: ModelContract = {
  ...OPUS_4_8,
  thinking: 'always',
  sampling: 'none',
  forcedToolChoice: false,
};

export const HELLO: JsonObject = { role: 'user', content: 'Hi' };

export function translate(
  body: JsonObject,
  contract: Partial<ModelContract> = {},
  unsupportedParams: TranslationContext['unsupportedParams'] = 'ignore',
): Result<Translation, Untranslatable> {
  return translateRequest(
    { model: 'claude-s', messages: [HELLO], ...body },
    {
      contract: { ...CLAUDE, ...contract },
      upstreamName: 'claude-up',
      hashUser: (user) => `hash-of-${user}`,
      unsupportedParams,
    },
  );
}

/** The translated body without what is the same in every one of these tests. */
export function membersOf(body: JsonObject, contract: Partial<ModelContract> = {}): JsonObject {
  const result = translate(body, contract);
  if (!result.ok) throw new Error(`${result.error.kind} ${result.error.param}: ${result.error.message}`);
  const same = ['model', 'stream', 'max_tokens', 'messages'];
  return Object.fromEntries(Object.entries(result.value.body).filter(([name]) => !same.includes(name)));
}

export function conversationOf(
  messages: readonly JsonObject[],
  contract: Partial<ModelContract> = {},
): JsonObject {
  const result = translate({ messages }, contract);
  if (!result.ok) throw new Error(`${result.error.kind} ${result.error.param}: ${result.error.message}`);
  const { system, messages: turns } = result.value.body;
  return system === undefined ? { messages: turns } : { system, messages: turns };
}

export function notesOf(body: JsonObject, contract: Partial<ModelContract> = {}): readonly string[] {
  const result = translate(body, contract);
  return result.ok ? result.value.ignoredParams : [`failed: ${result.error.param}`];
}

/** `kind param` of a request that can't be translated; `ok` of one that can. */
export function failureOf(body: JsonObject, contract: Partial<ModelContract> = {}): string {
  const result = translate(body, contract);
  return result.ok ? 'ok' : `${result.error.kind} ${result.error.param}`;
}
