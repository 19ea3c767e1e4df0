import type { JsonObject, JsonValue } from '../../src/domain/kernel/json';
import { isJsonObject } from '../../src/domain/kernel/json';
import { NO_HINTS } from '../../src/domain/resilience/signal';
import type { ChunkFrame, Frame } from '../../src/domain/stream/frame';
import {
  gateRule,
  HOLDING,
  passGate,
  type GateState,
  type GateStep,
} from '../../src/domain/stream/stream-gate';
import { AnthropicStream } from '../../src/infra/provider/anthropic/anthropic-stream';
import { OpenAiStream } from '../../src/infra/provider/openai/openai-stream';
import { EventFrames, type EventTranslator } from '../../src/infra/provider/transport/event-frames';
import { SecretRedactor } from '../../src/infra/provider/transport/redact-secrets';
import type { BodyRead } from '../../src/infra/provider/transport/upstream-exchange';
import type { RecordedChoice } from './recorded-fixture';

export type StreamWire = 'openai-chat' | 'anthropic-messages';

/** What reaches the caller of one stream, and how it ended; equal for equal bytes, however they were cut. */
export type Passed = Readonly<{
  released: readonly ChunkFrame[];
  text: string;
  outcome: string;
  /** Whether frames were released while the provider was still to say more. */
  timing: 'before_the_end' | 'at_the_end' | 'never';
}>;

type Mode = 'first_output' | 'complete';

/** Both gates over the same frames: the one that commits at the first output, and the one that holds the whole answer. */
export type BothGates = Readonly<Record<Mode, Passed>>;

const TRANSLATORS: Readonly<Record<StreamWire, (choices: number) => EventTranslator>> = {
  'openai-chat': (choices) =>
    new OpenAiStream({ redactor: new SecretRedactor([]), hints: NO_HINTS, choices }),
  'anthropic-messages': () =>
    new AnthropicStream({
      redactor: new SecretRedactor([]),
      hints: NO_HINTS,
      created: 1_790_000_000,
      fallbackId: 'chatcmpl-req_1-1',
    }),
};

/** Reads the pieces as if each had arrived in a network read of its own. */
export async function passPieces(
  pieces: readonly Buffer[],
  wire: StreamWire,
  choices: number,
): Promise<BothGates> {
  const gates = { first_output: new Gate('first_output'), complete: new Gate('complete') };
  const frames = new EventFrames(new PiecewiseExchange(pieces), TRANSLATORS[wire](choices), () => undefined);
  for await (const group of frames) {
    gates.first_output.pass(group);
    gates.complete.pass(group);
  }
  return { first_output: gates.first_output.passed(), complete: gates.complete.passed() };
}

/** Cuts bytes at the offsets, which ascend. */
export function piecesOf(bytes: Buffer, offsets: readonly number[]): readonly Buffer[] {
  const edges = [0, ...offsets, bytes.length];
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
}

class PiecewiseExchange {
  private next = 0;

  constructor(private readonly pieces: readonly Buffer[]) {}

  async read(): Promise<BodyRead> {
    const piece = this.pieces[this.next++];
    return piece === undefined ? { kind: 'end' } : { kind: 'chunks', chunks: [piece] };
  }

  cut(): void {}
  release(): void {}
}

class Gate {
  private state: GateState = HOLDING;
  private outcome: GateStep['outcome'] = { kind: 'running' };
  private readonly released: ChunkFrame[] = [];
  private timing: Passed['timing'] = 'never';

  constructor(private readonly mode: Mode) {}

  pass(group: readonly Frame[]): void {
    const step = passGate(this.state, group, gateRule(this.mode));
    this.state = step.state;
    this.outcome = step.outcome;
    this.released.push(...step.release);
    if (step.release.length === 0 || this.timing !== 'never') return;
    this.timing = step.outcome.kind === 'running' ? 'before_the_end' : 'at_the_end';
  }

  passed(): Passed {
    const text = this.released.map((frame) => frame.text).join('\n');
    return { released: this.released, text, outcome: JSON.stringify(this.outcome), timing: this.timing };
  }
}

type Draft = {
  text: string;
  refusal: string;
  finishReason: string;
  calls: { id: string; name: string; arguments: string }[];
};

/** What a caller reads who joins the deltas by hand. */
export function joined(frames: readonly ChunkFrame[]): readonly Omit<RecordedChoice, 'reasoning'>[] {
  const drafts: Draft[] = [];
  for (const choice of frames.flatMap(({ chunk }) => objects(chunk.choices))) {
    const draft = (drafts[Number(choice.index)] ??= { text: '', refusal: '', finishReason: '', calls: [] });
    const delta = isJsonObject(choice.delta) ? choice.delta : {};
    draft.text += textOf(delta.content);
    draft.refusal += textOf(delta.refusal);
    draft.finishReason = textOf(choice.finish_reason) || draft.finishReason;
    for (const call of objects(delta.tool_calls)) addCall(draft, call);
  }
  return drafts.map(({ text, refusal, finishReason, calls }) => ({
    text,
    ...(refusal === '' ? {} : { refusal }),
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
    finishReason,
  }));
}

function addCall({ calls }: Draft, { index, id, function: called }: JsonObject): void {
  const call = (calls[Number(index)] ??= { id: '', name: '', arguments: '' });
  const part = isJsonObject(called) ? called : {};
  call.id ||= textOf(id);
  call.name ||= textOf(part.name);
  call.arguments += textOf(part.arguments);
}

function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
