import type { ChatAnswer } from '../../../domain/chat/chat-answer';
import type { Usage } from '../../../domain/interaction/usage';
import { mergeUsage, NO_USAGE } from '../../../domain/interaction/usage';
import type { JsonObject, JsonValue } from '../../../domain/kernel/json';
import { isJsonObject } from '../../../domain/kernel/json';
import type { ChunkFrame, Frame } from '../../../domain/stream/frame';
import { EMPTY_TALLY, tally } from '../../../domain/stream/stream-tally';
import type { WholeOutcome } from '../../../usecase/port/chat-provider';
import type { SseEvent } from '../transport/sse-events';
import { SseEventReader } from '../transport/sse-events';
import type { AnswerContext } from './openai-stream';
import { OpenAiStream } from './openai-stream';

type Draft = Record<string, JsonValue | undefined>;

/** Members of a delta whose texts are pieces of one text; of all others the last value wins. */
const PIECEWISE: ReadonlySet<string> = new Set([
  'content',
  'refusal',
  'reasoning',
  'reasoning_content',
  'arguments',
]);

/** True for a body that is an event stream although none was asked for. */
export function isEventStream(text: string): boolean {
  return /^(?:data|event|id|retry)?:/.test(text);
}

/** Reads an event stream that came in place of a whole answer. */
export function foldStream(text: string, context: AnswerContext): WholeOutcome {
  const frames = framesOf(text, context);
  const last = frames.at(-1);
  if (last?.kind === 'failure') {
    const { usage, outputChars } = tally(EMPTY_TALLY, frames);
    return { kind: 'failed', signal: last.signal, heard: { usage, outputChars } };
  }
  const chunks = frames.filter((frame) => frame.kind === 'chunk');
  return { kind: 'answer', answer: foldChunks(chunks) };
}

function framesOf(text: string, context: AnswerContext): readonly Frame[] {
  const events: SseEvent[] = [];
  const frames: Frame[] = [];
  const reader = new SseEventReader();
  const stream = new OpenAiStream(context);
  const size = reader.feed(Buffer.from(text), events);
  if (size === 'oversized' || reader.end(events) === 'oversized') {
    return [{ kind: 'failure', signal: { kind: 'malformed', what: 'oversized_frame' } }];
  }
  for (const event of events) {
    stream.translate(event, frames);
    const last = frames.at(-1)?.kind;
    if (last === 'end' || last === 'failure') return frames;
  }
  return [...frames, stream.close({ kind: 'truncated' })];
}

function foldChunks(chunks: readonly ChunkFrame[]): ChatAnswer {
  const choices = new Map<number, Draft>();
  let head: JsonObject = {};
  let usage: Usage = NO_USAGE;
  let outputChars = 0;
  let finishReason: string | null = null;
  for (const frame of chunks) {
    head = { ...head, ...definedMembers(frame.chunk) };
    usage = frame.usage === null ? usage : mergeUsage(usage, frame.usage);
    outputChars += frame.outputChars;
    finishReason = frame.finishReason ?? finishReason;
    for (const choice of frame.chunk.choices as readonly JsonValue[]) addChoice(choices, choice);
  }
  const ordered = [...choices.entries()].sort(([a], [b]) => a - b).map(([, choice]) => choice);
  const body = { ...head, object: 'chat.completion', choices: ordered };
  return { body, text: null, finishReason: finishReason ?? 'stop', usage, outputChars };
}

/** A null in a later chunk doesn't undo an earlier value. */
function definedMembers(chunk: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(chunk).filter(([, value]) => value !== null));
}

function addChoice(choices: Map<number, Draft>, raw: JsonValue): void {
  if (!isJsonObject(raw)) return;
  const index = typeof raw.index === 'number' ? raw.index : 0;
  const { delta, message: _message, ...rest } = raw;
  const before = choices.get(index);
  const message: Draft = isJsonObject(before?.message)
    ? { ...before.message }
    : { role: 'assistant', content: null };
  if (isJsonObject(delta)) addDelta(message, delta);
  const finishReason = rest.finish_reason ?? before?.finish_reason ?? 'stop';
  choices.set(index, { ...before, ...rest, index, message, finish_reason: finishReason });
}

function addDelta(into: Draft, delta: JsonObject): void {
  for (const [name, value] of Object.entries(delta)) {
    if (value === null || value === undefined) continue;
    const before = into[name];
    if (name === 'tool_calls' && Array.isArray(value)) {
      into[name] = addCalls(Array.isArray(before) ? (before as readonly JsonValue[]) : [], value);
    } else if (PIECEWISE.has(name) && typeof before === 'string' && typeof value === 'string') {
      into[name] = before + value;
    } else {
      into[name] = value;
    }
  }
}

function addCalls(before: readonly JsonValue[], deltas: readonly JsonValue[]): readonly JsonValue[] {
  const calls = [...before];
  for (const delta of deltas) {
    if (!isJsonObject(delta) || typeof delta.index !== 'number') continue;
    const { index, function: called, ...rest } = delta;
    const known = calls[index];
    const call: Draft = isJsonObject(known) ? { ...known, ...rest } : { ...rest };
    const whole: Draft = isJsonObject(call.function) ? { ...call.function } : {};
    if (isJsonObject(called)) addDelta(whole, called);
    call.function = whole;
    calls[index] = call;
  }
  return calls;
}
