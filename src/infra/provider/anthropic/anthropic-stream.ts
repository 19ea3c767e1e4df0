import type { JsonObject, JsonValue } from '../../../domain/kernel/json';
import { isJsonObject } from '../../../domain/kernel/json';
import type { MalformedAnswer, RetryHints, Signal } from '../../../domain/resilience/signal';
import type { EndFrame, FailureFrame, Frame } from '../../../domain/stream/frame';
import type { EventTranslator } from '../transport/event-frames';
import type { SecretRedactor } from '../transport/redact-secrets';
import type { SseEvent } from '../transport/sse-events';
import { isErrorObject } from './anthropic-signal';
import { parseExactly } from './exact-json';
import { AnthropicMessage, END, failure, isLast } from './reply/anthropic-message';
import { eventsOf } from './reply/message-events';

/** What the reading of one answer needs to know besides its bytes. */
export type AnswerContext = Readonly<{
  redactor: SecretRedactor;
  hints: RetryHints;
  /** Our clock when the answer began, in whole seconds: Messages carry no time. */
  created: number;
  /** The answer's id where the provider names none. */
  fallbackId: string;
}>;

/** Messages events as frames: WIRE §10.3 (what they become) and FAILURES §4 (what decides). */
export class AnthropicStream implements EventTranslator {
  readonly message: AnthropicMessage;

  constructor(private readonly context: AnswerContext) {
    this.message = new AnthropicMessage(context);
  }

  translate(event: SseEvent, into: Frame[]): void {
    const data = event.data;
    if (isJunk(data)) return;
    const value = parseExactly(data);
    if (isJsonObject(value)) this.accept(value, event.name, into);
    else this.notAnEvent(event, into);
  }

  /** After a stop reason the answer is complete, whatever is missing behind it (FAILURES §3.4). */
  close(reason: Signal, into: Frame[]): EndFrame | FailureFrame {
    if (this.message.hasStopReason) {
      const frames: Frame[] = [];
      this.message.finish(frames);
      into.push(...frames.slice(0, -1));
      const last = frames.at(-1);
      return last?.kind === 'failure' ? last : END;
    }
    if (reason.kind === 'truncated' && !this.message.hasSpoken) return malformed('no_output');
    return { kind: 'failure', signal: reason };
  }

  /** JSON although a stream was asked for: a complete message becomes a stream, an error stays one. */
  translateWhole(text: string): readonly Frame[] {
    if (text === '') return [malformed('empty_body')];
    const body = parseExactly(text);
    if (body === undefined) return [malformed('not_json')];
    if (isErrorObject(body)) return [this.providerError(body)];
    if (!isJsonObject(body)) return [malformed('not_an_object')];
    const { content, type } = body;
    if (!Array.isArray(content) || (type !== undefined && type !== 'message'))
      return [malformed('no_choices')];
    const frames: Frame[] = [];
    for (const event of eventsOf(body, content as readonly JsonValue[])) {
      this.message.accept(event, frames);
      if (isLast(frames.at(-1))) return frames;
    }
    return frames;
  }

  private accept(value: JsonObject, name: string, into: Frame[]): void {
    if (name === 'error' || isErrorObject(value)) this.failed(value, into);
    else this.message.accept(typeof value.type === 'string' ? value : { ...value, type: name }, into);
  }

  /** An error behind the stop reason doesn't undo an answer that was delivered. */
  private failed(body: JsonObject, into: Frame[]): void {
    if (this.message.hasStopReason && this.message.hasSpoken) this.message.finish(into);
    else into.push(this.providerError(body));
  }

  private providerError(body: JsonValue): FailureFrame {
    const { redactor, hints } = this.context;
    return failure({ kind: 'provider_error', status: 200, body: redactor.json(body), hints });
  }

  private notAnEvent(event: SseEvent, into: Frame[]): void {
    // An event that the end of the stream cut says no more than that end does.
    if (!event.complete || this.message.hasStopReason) return;
    if (event.name === 'error') this.failed({ error: event.data }, into);
    else if (KNOWN_EVENTS.has(event.name)) into.push(malformed('bad_frame'));
  }
}

/** Events whose loss would change the answer; an unnamed one may be any of them. */
const KNOWN_EVENTS = new Set([
  ...['', 'message', 'message_start', 'message_delta', 'message_stop'],
  ...['content_block_start', 'content_block_delta', 'content_block_stop'],
]);

/** Empty data, keep-alives in the shape of data, and the terminator of the other wire. */
function isJunk(data: string): boolean {
  if (data.startsWith('{')) return false;
  const text = data.trim();
  return text === '' || text.startsWith(':') || text === '[DONE]';
}

function malformed(what: MalformedAnswer): FailureFrame {
  return failure({ kind: 'malformed', what });
}
