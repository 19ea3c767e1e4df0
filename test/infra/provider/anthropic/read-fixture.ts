import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../../src/domain/kernel/json';
import { NO_HINTS } from '../../../../src/domain/resilience/signal';
import type { Frame } from '../../../../src/domain/stream/frame';
import { AnswerFold } from '../../../../src/infra/provider/anthropic/anthropic-answer';
import { AnthropicStream } from '../../../../src/infra/provider/anthropic/anthropic-stream';
import { SecretRedactor } from '../../../../src/infra/provider/transport/redact-secrets';
import type { SseEvent } from '../../../../src/infra/provider/transport/sse-events';
import { SseEventReader } from '../../../../src/infra/provider/transport/sse-events';
import type { WholeOutcome } from '../../../../src/usecase/port/chat-provider';

export const FIXTURES = join(__dirname, '../../../fixtures');

export function aStream(): AnthropicStream {
  return new AnthropicStream({
    redactor: new SecretRedactor([]),
    hints: NO_HINTS,
    created: 1_790_000_000,
    fallbackId: 'chatcmpl-req_1.1',
  });
}

/** A recorded 200: its stream, or the text of its JSON. */
export type Recorded = Readonly<{ kind: 'stream'; bytes: Buffer } | { kind: 'json'; text: string }>;

export function readFixture(name: string): Recorded {
  const path = join(FIXTURES, `${name}.json`);
  const { response } = JSON.parse(readFileSync(path, 'utf8')) as {
    response: { body?: unknown; body_file?: string };
  };
  if (response.body_file === undefined) return { kind: 'json', text: JSON.stringify(response.body) };
  return { kind: 'stream', bytes: readFileSync(join(path, '..', response.body_file)) };
}

/** All frames of a stream whose bytes arrive in the pieces that the offsets cut. */
export function framesOf(bytes: Buffer, cuts: readonly number[] = [], stream = aStream()): readonly Frame[] {
  const reader = new SseEventReader();
  const frames: Frame[] = [];
  const edges = [0, ...cuts, bytes.length];
  for (const [index, edge] of edges.slice(1).entries()) {
    const events: SseEvent[] = [];
    reader.feed(bytes.subarray(edges[index], edge), events);
    if (translateAll(stream, events, frames) === 'ended') return frames;
  }
  const rest: SseEvent[] = [];
  reader.end(rest);
  if (translateAll(stream, rest, frames) === 'ended') return frames;
  frames.push(stream.close({ kind: 'truncated' }, frames));
  return frames;
}

function translateAll(
  stream: AnthropicStream,
  events: readonly SseEvent[],
  frames: Frame[],
): 'ended' | 'open' {
  for (const event of events) {
    stream.translate(event, frames);
    const last = frames.at(-1)?.kind;
    if (last === 'end' || last === 'failure') return 'ended';
  }
  return 'open';
}

/** Each event as Anthropic writes it: named after the type in its data. */
export function sse(...events: readonly (JsonObject & Readonly<{ type?: string }>)[]): Buffer {
  return Buffer.from(
    events.map((event) => `event: ${event.type ?? ''}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  );
}

export function wholeOf(recorded: Recorded): WholeOutcome {
  const stream = aStream();
  const frames =
    recorded.kind === 'json' ? stream.translateWhole(recorded.text) : framesOf(recorded.bytes, [], stream);
  const outcome = new AnswerFold(stream.message).add(frames);
  if (outcome === undefined) throw new Error('the answer has no last frame');
  return outcome;
}

export function chunksOf(frames: readonly Frame[]): readonly JsonObject[] {
  return frames.flatMap((frame) => (frame.kind === 'chunk' ? [frame.chunk] : []));
}

/** The deltas of the first choice, in order; usage chunks have none. */
export function deltasOf(frames: readonly Frame[]): readonly JsonObject[] {
  return chunksOf(frames).flatMap((chunk) => {
    const [choice] = chunk.choices as readonly Readonly<{ delta?: JsonObject }>[];
    return choice === undefined ? [] : [choice.delta ?? {}];
  });
}
