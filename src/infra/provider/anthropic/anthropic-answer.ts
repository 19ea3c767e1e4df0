import type { ChatAnswer } from '../../../domain/chat/chat-answer';
import type { JsonObject, JsonValue } from '../../../domain/kernel/json';
import { isJsonObject } from '../../../domain/kernel/json';
import type { Signal } from '../../../domain/resilience/signal';
import type { ChunkFrame, Frame } from '../../../domain/stream/frame';
import type { WholeOutcome } from '../../../usecase/port/chat-provider';
import { openAiUsage } from './anthropic-usage';
import type { AnthropicMessage } from './reply/anthropic-message';

type CallDraft = { id: JsonValue | undefined; name: JsonValue | undefined; arguments: string };

/** The frames of one answer, folded into the whole `chat.completion` (WIRE §10.1). */
export class AnswerFold {
  private readonly texts = { content: '', reasoning_content: '', refusal: '' };
  private readonly calls: CallDraft[] = [];
  private head: JsonObject = {};
  private outputChars = 0;
  private finishReason = 'stop';

  constructor(private readonly message: AnthropicMessage) {}

  /** The outcome once the last frame is in; undefined before it. */
  add(frames: readonly Frame[]): WholeOutcome | undefined {
    for (const frame of frames) {
      if (frame.kind === 'failure') return this.failed(frame.signal);
      if (frame.kind === 'end') return { kind: 'answer', answer: this.answer() };
      this.addChunk(frame);
    }
    return undefined;
  }

  /** The answer broke off: what came of it is lost to the caller, and billed. */
  failed(signal: Signal): WholeOutcome {
    return {
      kind: 'failed',
      signal,
      heard: { usage: this.message.usage, outputChars: this.outputChars },
    };
  }

  private addChunk({ chunk, outputChars, finishReason }: ChunkFrame): void {
    this.head = chunk;
    this.outputChars += outputChars;
    this.finishReason = finishReason ?? this.finishReason;
    const [choice] = chunk.choices as readonly JsonObject[];
    if (isJsonObject(choice?.delta)) this.addDelta(choice.delta);
  }

  private addDelta(delta: JsonObject): void {
    for (const field of ['content', 'reasoning_content', 'refusal'] as const) {
      const text = delta[field];
      if (typeof text === 'string') this.texts[field] += text;
    }
    for (const call of (delta.tool_calls ?? []) as readonly JsonObject[]) this.addCall(call);
  }

  private addCall({ index, id, function: called }: JsonObject): void {
    const { name, arguments: text } = called as JsonObject;
    const draft = (this.calls[index as number] ??= { id, name, arguments: '' });
    draft.arguments += text as string;
  }

  private answer(): ChatAnswer {
    const { id, created, model } = this.head;
    const { serviceTier, usage } = this.message;
    const choice = {
      index: 0,
      message: this.choiceMessage(),
      logprobs: null,
      finish_reason: this.finishReason,
    };
    const counts = openAiUsage(usage);
    return {
      body: {
        id,
        object: 'chat.completion',
        created,
        model,
        choices: [choice],
        ...(counts === null ? {} : { usage: counts }),
        ...(serviceTier === undefined ? {} : { service_tier: serviceTier }),
      },
      text: null,
      finishReason: this.finishReason,
      usage,
      outputChars: this.outputChars,
    };
  }

  private choiceMessage(): JsonObject {
    const { content, reasoning_content, refusal } = this.texts;
    const calls = this.calls.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    }));
    const { annotations } = this.message;
    return {
      role: 'assistant',
      content: content === '' && calls.length > 0 ? null : content,
      refusal: refusal === '' ? null : refusal,
      ...(reasoning_content === '' ? {} : { reasoning_content }),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
      ...(annotations.length > 0 ? { annotations } : {}),
    };
  }
}
