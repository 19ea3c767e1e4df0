import type { TokenUsage } from '../behaviour';
import type { JsonObject } from '../json-value';
import { argumentPieces, type PlannedAnswer, type PlannedToolCall, type StopCause } from '../planned-answer';
import type { Prompt } from '../prompt';
import { frame, type CallIdentity, type StreamFrame } from '../wire-format';

const FINISH_REASONS: Readonly<Record<StopCause, string>> = {
  finished: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  stop_sequence: 'stop',
  refused: 'stop',
};

/** The `chat.completion` object. */
export function openAiWholeAnswer(answer: PlannedAnswer, identity: CallIdentity): JsonObject {
  const choices = Array.from({ length: answer.choiceCount }, (_, index) => ({
    index,
    message: messageOf(answer, identity, index),
    logprobs: null,
    finish_reason: finishReasonOf(answer),
  }));
  return { ...envelope('chat.completion', answer, identity), choices, ...usageMember(answer) };
}

/** The `chat.completion.chunk` events: role, pieces and finish of every choice, usage if asked, `[DONE]`. */
export function openAiStreamFrames(
  answer: PlannedAnswer,
  identity: CallIdentity,
  prompt: Prompt,
): readonly StreamFrame[] {
  const base = envelope('chat.completion.chunk', answer, identity);
  const asksUsage = prompt.usageFrame === 'wanted' && answer.usageReport === 'told';
  const chunk = (choices: readonly JsonObject[], usage: JsonObject | null): string =>
    event({ ...base, choices, ...(asksUsage ? { usage } : {}) });
  const deltaFrame = ({ delta, finish = null, role, output = '' }: Delta, index: number): StreamFrame =>
    frame(role, chunk([{ index, delta, logprobs: null, finish_reason: finish }], null), output);

  const choices = Array.from({ length: answer.choiceCount }, (_, index) => index);
  const opening: Delta = { role: 'preamble', delta: { role: 'assistant', content: '', refusal: null } };
  const closing: Delta = { role: 'framing', delta: {}, finish: finishReasonOf(answer) };
  return [
    ...choices.map((index) => deltaFrame(opening, index)),
    ...choices.flatMap((index) =>
      outputDeltas(answer, identity, index).map((delta) => deltaFrame(delta, index)),
    ),
    ...choices.map((index) => deltaFrame(closing, index)),
    ...(asksUsage ? [frame('framing', chunk([], usageOf(answer.usage)))] : []),
    frame('framing', 'data: [DONE]\n\n'),
  ];
}

type Delta = Readonly<{
  role: StreamFrame['role'];
  delta: JsonObject;
  finish?: string | null;
  output?: string;
}>;

function outputDeltas(answer: PlannedAnswer, identity: CallIdentity, choice: number): readonly Delta[] {
  const said = (delta: JsonObject, output: string): Delta => ({ role: 'output', delta, output });
  const calls = answer.toolCalls.flatMap((call, index) => [
    said(
      {
        tool_calls: [{ index, ...toolCallOf({ ...call, argumentsText: '' }, identity, `${choice}${index}`) }],
      },
      '',
    ),
    ...argumentPieces(call.argumentsText).map((piece) =>
      said({ tool_calls: [{ index, function: { arguments: piece } }] }, piece),
    ),
  ]);
  return [
    ...(answer.reasoning === '' ? [] : [said({ reasoning_content: answer.reasoning }, answer.reasoning)]),
    ...answer.textChunks.map((text) => said({ content: text }, text)),
    ...(answer.refusal === undefined ? [] : [said({ refusal: answer.refusal }, answer.refusal)]),
    ...calls,
  ];
}

function messageOf(answer: PlannedAnswer, identity: CallIdentity, choice: number): JsonObject {
  const calls = answer.toolCalls.map((call, index) => toolCallOf(call, identity, `${choice}${index}`));
  const isSilent = answer.text === '' && (calls.length > 0 || answer.refusal !== undefined);
  return {
    role: 'assistant',
    content: isSilent ? null : answer.text,
    refusal: answer.refusal ?? null,
    annotations: [],
    ...(answer.reasoning === '' ? {} : { reasoning_content: answer.reasoning }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

function toolCallOf(call: PlannedToolCall, identity: CallIdentity, suffix: string): JsonObject {
  return {
    id: call.id ?? `${identity.toolCallPrefix}${suffix}`,
    type: 'function',
    function: { name: call.name, arguments: call.argumentsText },
  };
}

function envelope(object: string, answer: PlannedAnswer, identity: CallIdentity): JsonObject {
  return {
    id: identity.answerId,
    object,
    created: Math.floor(identity.startedAtMs / 1000),
    model: answer.model,
    service_tier: 'default',
    system_fingerprint: null,
  };
}

function finishReasonOf(answer: PlannedAnswer): string | null {
  return answer.finishReason === undefined ? FINISH_REASONS[answer.stop] : answer.finishReason;
}

function usageMember(answer: PlannedAnswer): JsonObject {
  return answer.usageReport === 'told' ? { usage: usageOf(answer.usage) } : {};
}

/** OpenAI's prompt count contains the cached part. */
function usageOf(usage: TokenUsage): JsonObject {
  const promptTokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const { outputTokens, reasoningTokens, cacheReadTokens } = usage;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: outputTokens,
    total_tokens: promptTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

function event(data: JsonObject): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
