import type { TokenUsage } from '../behaviour';
import { parseJson, type JsonObject } from '../json-value';
import { argumentPieces, type PlannedAnswer, type StopCause } from '../planned-answer';
import { frame, type CallIdentity, type StreamFrame } from '../wire-format';

const STOP_REASONS: Readonly<Record<StopCause, string>> = {
  finished: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  stop_sequence: 'stop_sequence',
  refused: 'refusal',
};

const SIGNATURE = 'U2ltdWxhdGVkU2lnbmF0dXJl';

/** The `message` object. */
export function anthropicWholeAnswer(answer: PlannedAnswer, identity: CallIdentity): JsonObject {
  return {
    ...messageHead(answer, identity),
    content: blocksOf(answer, identity).map((block) => block.whole),
    ...stopMembers(answer),
    ...usageMember(answer, startUsage(answer.usage, answer.usage.outputTokens)),
  };
}

/** The event sequence of the Messages stream; usage in `message_delta` is cumulative. */
export function anthropicStreamFrames(answer: PlannedAnswer, identity: CallIdentity): readonly StreamFrame[] {
  const started = {
    ...messageHead(answer, identity),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    ...usageMember(answer, startUsage(answer.usage, 1)),
  };
  const [first, ...rest] = blocksOf(answer, identity).map(blockFrames);
  const { stop_reason, stop_sequence, stop_details } = stopMembers(answer);
  return [
    frame('preamble', event({ type: 'message_start', message: started })),
    ...(first ?? []).slice(0, 1),
    frame('preamble', event({ type: 'ping' })),
    ...(first ?? []).slice(1),
    ...rest.flat(),
    frame(
      'framing',
      event({
        type: 'message_delta',
        delta: { stop_reason, stop_sequence, stop_details },
        ...usageMember(answer, inputAndOutput(answer.usage, answer.usage.outputTokens)),
      }),
    ),
    frame('framing', event({ type: 'message_stop' })),
  ];
}

/** An event has its type twice: as its name and in its data. */
export function event(data: JsonObject & { readonly type: string }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** One content block, as it stands in a whole message and as it is streamed. */
type Block = Readonly<{
  whole: JsonObject;
  start: JsonObject;
  /** Opening the block already says something (a tool call), so it counts as output. */
  startRole: 'framing' | 'output';
  deltas: readonly Readonly<{ delta: JsonObject; output: string }>[];
}>;

function blocksOf(answer: PlannedAnswer, identity: CallIdentity): readonly Block[] {
  return [
    ...(answer.reasoning === '' ? [] : [thinkingBlock(answer.reasoning)]),
    ...(answer.text === '' ? [] : [textBlock(answer)]),
    ...answer.toolCalls.map((call, index) =>
      toolBlock(call, call.id ?? `${identity.toolCallPrefix}${index}`),
    ),
  ];
}

function thinkingBlock(thinking: string): Block {
  return {
    whole: { type: 'thinking', thinking, signature: SIGNATURE },
    start: { type: 'thinking', thinking: '', signature: '' },
    startRole: 'framing',
    deltas: [
      { delta: { type: 'thinking_delta', thinking }, output: thinking },
      { delta: { type: 'signature_delta', signature: SIGNATURE }, output: '' },
    ],
  };
}

function textBlock({ text, textChunks }: PlannedAnswer): Block {
  return {
    whole: { type: 'text', text },
    start: { type: 'text', text: '' },
    startRole: 'framing',
    deltas: textChunks.map((chunk) => ({ delta: { type: 'text_delta', text: chunk }, output: chunk })),
  };
}

/** Arguments that aren't JSON have no place in a whole message: there the input is empty. */
function toolBlock({ name, argumentsText }: PlannedAnswer['toolCalls'][number], id: string): Block {
  return {
    whole: { type: 'tool_use', id, name, input: parseJson(argumentsText) ?? {} },
    start: { type: 'tool_use', id, name, input: {} },
    startRole: 'output',
    deltas: ['', ...argumentPieces(argumentsText)].map((piece) => ({
      delta: { type: 'input_json_delta', partial_json: piece },
      output: piece,
    })),
  };
}

function blockFrames(block: Block, index: number): readonly StreamFrame[] {
  return [
    frame(block.startRole, event({ type: 'content_block_start', index, content_block: block.start })),
    ...block.deltas.map(({ delta, output }) =>
      frame(
        output === '' ? 'framing' : 'output',
        event({ type: 'content_block_delta', index, delta }),
        output,
      ),
    ),
    frame('framing', event({ type: 'content_block_stop', index })),
  ];
}

function messageHead(answer: PlannedAnswer, identity: CallIdentity): JsonObject {
  return { model: answer.model, id: identity.answerId, type: 'message', role: 'assistant' };
}

function stopMembers(answer: PlannedAnswer): JsonObject {
  return {
    stop_reason: answer.finishReason === undefined ? STOP_REASONS[answer.stop] : answer.finishReason,
    stop_sequence: answer.stopSequence ?? null,
    stop_details:
      answer.refusal === undefined ? null : { type: 'refusal', category: null, explanation: answer.refusal },
  };
}

function usageMember(answer: PlannedAnswer, usage: JsonObject): JsonObject {
  return answer.usageReport === 'told' ? { usage } : {};
}

function startUsage(usage: TokenUsage, outputTokens: number): JsonObject {
  return {
    ...inputAndOutput(usage, outputTokens),
    cache_creation: { ephemeral_5m_input_tokens: usage.cacheWriteTokens, ephemeral_1h_input_tokens: 0 },
    service_tier: 'standard',
    inference_geo: 'not_available',
  };
}

/** Anthropic's three input buckets are disjoint. */
function inputAndOutput(usage: TokenUsage, outputTokens: number): JsonObject {
  return {
    input_tokens: usage.inputTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    output_tokens: outputTokens,
    ...(usage.reasoningTokens > 0
      ? { output_tokens_details: { thinking_tokens: usage.reasoningTokens } }
      : {}),
  };
}
