import type { Usage } from '../../../domain/interaction/usage';
import { NO_USAGE } from '../../../domain/interaction/usage';
import type { JsonObject, JsonValue } from '../../../domain/kernel/json';
import { isJsonObject } from '../../../domain/kernel/json';
import type { ChunkFrame } from '../../../domain/stream/frame';
import { withPlainContent } from './content-parts';
import { rawFinishReason, readFinishReason } from './finish-reason';
import { reportedUsage } from './openai-usage';
import { spokenOutput } from './spoken-output';
import { ToolCallDeltas } from './tool-call-deltas';

/** A chunk as read: a frame, a failure in the shape of a finish reason, or nothing that a caller could use. */
export type ChunkReading =
  | Readonly<{ kind: 'frame'; frame: ChunkFrame }>
  | Readonly<{ kind: 'failing_finish'; finishReason: string }>
  | Readonly<{ kind: 'nothing' }>;

type ChoiceReading = Readonly<{
  choice: JsonValue;
  chars: number;
  decisive: boolean;
  finishReason: string | null;
  failing: boolean;
}>;

const SILENT = { chars: 0, decisive: false, finishReason: null, failing: false };
const NOTHING: ChunkReading = { kind: 'nothing' };

/** Reads the chunks of one stream; it remembers which tool calls are open and which choices have finished. */
export class OpenAiChunkReader {
  private readonly toolCalls = new Map<number, ToolCallDeltas>();
  private readonly finished = new Set<number>();
  private readonly seen = new Set<number>();
  private id: string | null = null;
  private head: JsonObject = {};

  /** @param choices how many choices the caller asked for */
  constructor(private readonly choices: number) {}

  /** Every choice has its finish reason: the answer is complete, whatever comes or is missing after it. */
  get complete(): boolean {
    return this.finished.size >= Math.max(this.choices, this.seen.size);
  }

  /** The finish that a stream with a terminator left out (WIRE §11 rule 9): the official clients need one for every choice. */
  impliedFinish(): ChunkFrame {
    const unfinished = [...this.seen].filter((index) => !this.finished.has(index));
    const choices = unfinished.map((index) => ({
      index,
      delta: {},
      finish_reason: this.toolCalls.has(index) ? 'tool_calls' : 'stop',
    }));
    const readings = choices.map((choice) => this.readChoice(choice));
    const { id, created, model } = this.head;
    const chunk = { id, object: 'chat.completion.chunk', created, model, choices };
    return this.frame(chunk, null, { usage: NO_USAGE, readings });
  }

  read(raw: JsonObject, rawText: string): ChunkReading {
    const chunk = this.withOneId(raw);
    this.head = chunk;
    const text = chunk === raw ? rawText : null;
    const usage = reportedUsage(chunk);
    if (!Array.isArray(chunk.choices)) {
      if (usage.source === 'none' && chunk.object !== 'chat.completion.chunk') return NOTHING;
      return { kind: 'frame', frame: this.frame({ ...chunk, choices: [] }, null, { usage, readings: [] }) };
    }
    const choices = chunk.choices as readonly JsonValue[];
    const readings = choices.map((choice) => this.readChoice(choice));
    const failing = readings.find((reading) => reading.failing);
    if (failing !== undefined) {
      return { kind: 'failing_finish', finishReason: failing.finishReason ?? '' };
    }
    const same = readings.every((reading, position) => reading.choice === choices[position]);
    const whole = same ? chunk : { ...chunk, choices: readings.map((reading) => reading.choice) };
    return { kind: 'frame', frame: this.frame(whole, same ? text : null, { usage, readings }) };
  }

  private frame(
    chunk: JsonObject,
    text: string | null,
    { usage, readings }: { usage: Usage; readings: readonly ChoiceReading[] },
  ): ChunkFrame {
    let outputChars = 0;
    let decisive = false;
    let finishReason: string | null = null;
    for (const reading of readings) {
      outputChars += reading.chars;
      decisive ||= reading.decisive;
      finishReason = reading.finishReason ?? finishReason;
    }
    return {
      kind: 'chunk',
      weight: decisive ? 'decisive' : 'neutral',
      chunk,
      text: text ?? JSON.stringify(chunk),
      outputChars,
      finishReason,
      usage: usage.source === 'none' ? null : usage,
      sideEffects: false,
    };
  }

  private readChoice(raw: JsonValue): ChoiceReading {
    if (!isJsonObject(raw)) return { ...SILENT, choice: raw };
    const index = typeof raw.index === 'number' ? raw.index : 0;
    const delta = this.normalDelta(this.withRole(deltaOf(raw), index), index);
    const spoken = spokenOutput(delta);
    const rawReason = rawFinishReason(raw);
    const finish = rawReason === null ? null : readFinishReason(rawReason);
    if (finish !== null) this.finished.add(index);
    const finishReason = finish?.reason ?? null;
    return {
      choice: normalChoice(raw, { index, delta }, finishReason),
      chars: spoken.chars,
      decisive: spoken.decisive || finish !== null,
      finishReason,
      failing: finish?.kind === 'failing',
    };
  }

  /** The official client takes another id for another completion. */
  private withOneId(chunk: JsonObject): JsonObject {
    if (typeof chunk.id !== 'string' || chunk.id === '') return chunk;
    this.id ??= chunk.id;
    return chunk.id === this.id ? chunk : { ...chunk, id: this.id };
  }

  /** The official client wants the role in the first delta of a choice; llama-box and others never send it. */
  private withRole(delta: JsonObject, index: number): JsonObject {
    if (this.seen.has(index)) return delta;
    this.seen.add(index);
    return typeof delta.role === 'string' && delta.role !== '' ? delta : { ...delta, role: 'assistant' };
  }

  private normalDelta(raw: JsonObject, index: number): JsonObject {
    const delta = withPlainContent(raw);
    if (!Array.isArray(delta.tool_calls)) return delta;
    const known = this.toolCalls.get(index) ?? new ToolCallDeltas();
    this.toolCalls.set(index, known);
    const calls = known.normalise(delta.tool_calls as readonly JsonValue[]);
    return calls === delta.tool_calls ? delta : { ...delta, tool_calls: calls };
  }
}

/** The same object where nothing has to change, so that its text can be relayed. */
function normalChoice(
  raw: JsonObject,
  normal: Readonly<{ index: number; delta: JsonObject }>,
  finishReason: string | null,
): JsonObject {
  const same =
    normal.delta === raw.delta && normal.index === raw.index && finishReason === rawFinishReason(raw);
  return same ? raw : { ...raw, ...normal, finish_reason: finishReason };
}

/** Some upstreams answer a stream with whole messages; the official clients read `delta` without asking. */
function deltaOf({ delta, message }: JsonObject): JsonObject {
  if (isJsonObject(delta)) return delta;
  return isJsonObject(message) ? message : {};
}
