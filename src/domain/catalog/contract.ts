import { isJsonObject } from '../kernel/json';
import type { JsonObject, JsonValue } from '../kernel/json';
import { estimateTokens } from './input-estimate';
import type { ModelContract } from './model-contract';
import type { RequestNeeds } from './request-needs';

/** What a route can't do for a request, by the name of the request's field. */
export type ContractMismatch = Readonly<{ param: string; message: string }>;

type Feature = Exclude<Extract<keyof RequestNeeds, keyof ModelContract>, 'maxOutputTokens'>;

/** The request's field that asks for each feature, and the words for it, in the order in which they are judged. */
const FEATURES: Readonly<Record<Feature, Readonly<{ param: string; what: string }>>> = {
  streaming: { param: 'stream', what: 'streaming' },
  tools: { param: 'tools', what: 'tools' },
  forcedToolChoice: { param: 'tool_choice', what: 'a forced tool choice' },
  jsonSchema: { param: 'response_format', what: 'the response format json_schema' },
  jsonObject: { param: 'response_format', what: 'the response format json_object' },
  vision: { param: 'messages', what: 'images' },
  files: { param: 'messages', what: 'files' },
  audio: { param: 'messages', what: 'audio' },
  multipleChoices: { param: 'n', what: 'more than one choice' },
  logprobs: { param: 'logprobs', what: 'log probabilities' },
  legacyFunctions: { param: 'functions', what: 'the deprecated functions' },
  prefill: { param: 'messages', what: 'an assistant message at the end of the conversation' },
};

const FEATURE_NAMES = Object.keys(FEATURES) as readonly Feature[];

/**
 * The first need that the contract doesn't meet; null: it meets all that is known. An unknown limit refuses nothing.
 */
export function contractMismatch(needs: RequestNeeds, contract: ModelContract): ContractMismatch | null {
  const missing = FEATURE_NAMES.find((feature) => needs[feature] && !contract[feature]);
  if (missing !== undefined) {
    const { param, what } = FEATURES[missing];
    return { param, message: `${what} not supported` };
  }
  if (needs.audioOutput && !contract.audio) {
    return { param: 'modalities', message: 'audio in the answer not supported' };
  }
  return outputOverLimit(needs, contract) ?? inputOverWindow(needs, contract);
}

/** Asking for more output than there can be is refused: less would turn the caller's promise into a cut answer (WIRE §2). */
function outputOverLimit(needs: RequestNeeds, contract: ModelContract): ContractMismatch | null {
  const { maxOutputTokens: asked } = needs;
  const { maxOutputTokens: limit } = contract;
  if (asked === null || limit === null || asked <= limit) return null;
  return {
    param: 'max_completion_tokens',
    message: `${asked} output tokens asked for, at most ${limit} possible`,
  };
}

/**
 * Four bytes per token is a rough guess, off by a factor of two for some texts. So the gate refuses only what can't fit
 * even at eight bytes per token, and leaves every closer case to the provider, which counts for real.
 */
function inputOverWindow(needs: RequestNeeds, contract: ModelContract): ContractMismatch | null {
  const { contextTokens } = contract;
  if (contextTokens === null || needs.estimatedInputTokens / 2 <= contextTokens) return null;
  const about = needs.estimatedInputTokens;
  return { param: 'messages', message: `about ${about} input tokens, the context holds ${contextTokens}` };
}

/**
 * Reads the needs off a Chat Completions body that was validated before. Null is absent (WIRE §1), and what has an odd
 * shape needs nothing: it never fails.
 */
export function needsOf(body: JsonObject): RequestNeeds {
  const messages = listOf(body.messages).filter(isJsonObject);
  const partTypes = new Set(messages.flatMap((message) => listOf(message.content).map(typeOf)));
  const format = typeOf(body.response_format);
  return {
    streaming: body.stream === true,
    streamUsage: body.stream === true && wantsUsage(body.stream_options),
    tools: listOf(body.tools).length > 0,
    forcedToolChoice: forcesTool(body.tool_choice),
    jsonSchema: format === 'json_schema',
    jsonObject: format === 'json_object',
    vision: partTypes.has('image_url'),
    files: partTypes.has('file'),
    audio: partTypes.has('input_audio') || messages.some((message) => isJsonObject(message.audio)),
    audioOutput: listOf(body.modalities).includes('audio'),
    multipleChoices: numberOf(body.n) > 1,
    logprobs: body.logprobs === true || numberOf(body.top_logprobs) > 0,
    legacyFunctions: usesLegacyFunctions(body, messages),
    prefill: messages[messages.length - 1]?.role === 'assistant',
    estimatedInputTokens: estimateTokens([body.messages, body.tools, body.functions, body.response_format]),
    maxOutputTokens: outputLimitOf(body),
  };
}

function wantsUsage(options: JsonValue | undefined): boolean {
  return isJsonObject(options) && options.include_usage === true;
}

function forcesTool(choice: JsonValue | undefined): boolean {
  if (!isJsonObject(choice)) return choice === 'required';
  if (choice.type !== 'allowed_tools') return true;
  return isJsonObject(choice.allowed_tools) && choice.allowed_tools.mode === 'required';
}

function usesLegacyFunctions(body: JsonObject, messages: readonly JsonObject[]): boolean {
  return (
    listOf(body.functions).length > 0 ||
    (body.function_call ?? null) !== null ||
    messages.some((message) => message.role === 'function' || isJsonObject(message.function_call))
  );
}

function outputLimitOf(body: JsonObject): number | null {
  const limit = body.max_completion_tokens ?? body.max_tokens;
  return typeof limit === 'number' ? limit : null;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isList(value) ? value : [];
}

function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function numberOf(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0;
}

function typeOf(value: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(value) ? value.type : undefined;
}
