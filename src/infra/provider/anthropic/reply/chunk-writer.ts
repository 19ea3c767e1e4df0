import type { Usage } from '../../../../domain/interaction/usage';
import type { JsonObject } from '../../../../domain/kernel/json';
import type { ChunkFrame } from '../../../../domain/stream/frame';
import { openAiUsage } from '../anthropic-usage';
import type { Said } from './content-blocks';

/** What all chunks of one answer have in common. */
export type AnswerHead = Readonly<{ id: string; created: number; model: string }>;

/** Makes the frames of one answer: each is one `chat.completion.chunk` with the same head. */
export class ChunkWriter {
  sideEffects = false;
  /** Counters that no frame has reported yet; they ride on the next one, in case there is no later. */
  private unreported: Usage | null = null;

  constructor(private readonly head: AnswerHead) {}

  report(usage: Usage): void {
    if (usage.source !== 'none') this.unreported = usage;
  }

  opening(): ChunkFrame {
    return this.frame('neutral', this.chunk({ role: 'assistant', content: '' }, null), 0, null);
  }

  said({ delta, chars }: Said): ChunkFrame {
    return this.frame('decisive', this.chunk(delta, null), chars, null);
  }

  finish(finishReason: string): ChunkFrame {
    return this.frame('decisive', this.chunk({}, finishReason), 0, finishReason);
  }

  /** The chunk that stands alone before the end; null where the provider told no counts. */
  usage(usage: Usage): ChunkFrame | null {
    const counts = openAiUsage(usage);
    if (counts === null) return null;
    this.unreported = usage;
    return this.frame('neutral', this.withChoices([], counts), 0, null);
  }

  private chunk(delta: JsonObject, finishReason: string | null): JsonObject {
    return this.withChoices([{ index: 0, delta, finish_reason: finishReason }], null);
  }

  private withChoices(choices: readonly JsonObject[], usage: JsonObject | null): JsonObject {
    const { id, created, model } = this.head;
    const chunk = { id, object: 'chat.completion.chunk', created, model, choices };
    return usage === null ? chunk : { ...chunk, usage };
  }

  private frame(
    weight: ChunkFrame['weight'],
    chunk: JsonObject,
    outputChars: number,
    finishReason: string | null,
  ): ChunkFrame {
    const usage = this.unreported;
    this.unreported = null;
    const text = JSON.stringify(chunk);
    return {
      kind: 'chunk',
      weight,
      chunk,
      text,
      outputChars,
      finishReason,
      usage,
      sideEffects: this.sideEffects,
    };
  }
}
