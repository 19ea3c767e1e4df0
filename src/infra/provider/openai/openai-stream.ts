import type { JsonObject, JsonValue } from '../../../domain/kernel/json';
import { isJsonObject } from '../../../domain/kernel/json';
import type { MalformedAnswer, RetryHints, Signal } from '../../../domain/resilience/signal';
import type { EndFrame, FailureFrame, Frame } from '../../../domain/stream/frame';
import { parseJson } from '../transport/error-body';
import type { EventTranslator } from '../transport/event-frames';
import type { SecretRedactor } from '../transport/redact-secrets';
import type { SseEvent } from '../transport/sse-events';
import { chunkOfAnswer } from './chunk-of-answer';
import { isErrorObject } from './error-object';
import { readCompletion } from './openai-answer';
import { OpenAiChunkReader } from './openai-frame';

const END: EndFrame = { kind: 'end' };

/** What the reading of one answer needs to know besides its bytes. */
export type AnswerContext = Readonly<{
  redactor: SecretRedactor;
  hints: RetryHints;
  /** Choices that the caller asked for (`n`). */
  choices: number;
}>;

/** Chat Completions events as frames: FAILURES §4 (what decides) and WIRE §11 (what the dialects send). */
export class OpenAiStream implements EventTranslator {
  private readonly chunks: OpenAiChunkReader;
  private spoken = false;

  constructor(private readonly context: AnswerContext) {
    this.chunks = new OpenAiChunkReader(context.choices);
  }

  translate(event: SseEvent, into: Frame[]): void {
    const data = event.data;
    if (isJunk(data)) return;
    if (data.trim() === '[DONE]') return this.terminate(into);
    const value = parseJson(data);
    if (value === null) this.notJson(event, into);
    else if (event.name === 'error' || isErrorObject(value)) this.failed(value, into);
    else if (isJsonObject(value)) this.readChunk(value, data, into);
    else this.notJson(event, into);
  }

  close(reason: Signal): EndFrame | FailureFrame {
    if (this.chunks.complete) return END;
    if (reason.kind === 'truncated' && !this.spoken) return malformed('no_output');
    return { kind: 'failure', signal: reason };
  }

  /** JSON although a stream was asked for: a complete answer becomes one chunk, an error stays one. */
  translateWhole(text: string): readonly Frame[] {
    const outcome = readCompletion(text, this.context);
    if (outcome.kind === 'failed') return [{ kind: 'failure', signal: outcome.signal }];
    const chunk = chunkOfAnswer(outcome.answer.body);
    const reading = this.chunks.read(chunk, JSON.stringify(chunk));
    return reading.kind === 'frame' ? [reading.frame, END] : [malformed('no_choices')];
  }

  private terminate(into: Frame[]): void {
    if (this.chunks.complete) into.push(END);
    else if (this.spoken) into.push(this.chunks.impliedFinish(), END);
    else into.push(malformed('no_output'));
  }

  private readChunk(chunk: JsonObject, data: string, into: Frame[]): void {
    // A chunk in several data lines has line ends in its text, which an event of ours can't carry as they are.
    const text = data.includes('\n') ? JSON.stringify(chunk) : data;
    const wasComplete = this.chunks.complete;
    const reading = this.chunks.read(chunk, text);
    if (reading.kind === 'nothing') return;
    if (reading.kind === 'failing_finish') {
      if (!wasComplete) into.push({ kind: 'failure', signal: reading });
      return;
    }
    if (reading.frame.weight === 'decisive') this.spoken = true;
    into.push(reading.frame);
  }

  /** An error behind the last finish reason doesn't undo an answer that was delivered (FAILURES §3.4). */
  private failed(body: JsonValue, into: Frame[]): void {
    if (this.chunks.complete) return this.keepUsage(body, into);
    const { redactor, hints } = this.context;
    const signal: Signal = { kind: 'provider_error', status: 200, body: redactor.json(body), hints };
    into.push({ kind: 'failure', signal });
  }

  /** OpenRouter reports usage in the chunk of such an error. */
  private keepUsage(body: JsonValue, into: Frame[]): void {
    if (!isJsonObject(body) || !isJsonObject(body.usage)) return;
    const { error: _error, ...rest } = body;
    const chunk = { ...rest, choices: [] };
    this.readChunk(chunk, JSON.stringify(chunk), into);
  }

  private notJson(event: SseEvent, into: Frame[]): void {
    // An event that the end of the stream cut says no more than that end does; an unknown event is none of our business.
    if (this.chunks.complete || !event.complete) return;
    if (event.name === 'error') this.failed({ error: event.data }, into);
    else if (event.name === '' || event.name === 'message') into.push(malformed('bad_frame'));
  }
}

/** Empty data and keep-alives in the shape of data (WIRE §11 rule 2). */
function isJunk(data: string): boolean {
  if (data === '' || data.startsWith(':')) return true;
  return data.trim() === '';
}

function malformed(what: MalformedAnswer): FailureFrame {
  return { kind: 'failure', signal: { kind: 'malformed', what } };
}
