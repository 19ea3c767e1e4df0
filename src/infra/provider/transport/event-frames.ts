import type { LocalSignal, Signal } from '../../../domain/resilience/signal';
import type { EndFrame, FailureFrame, Frame } from '../../../domain/stream/frame';
import { networkSignal } from './network-signal';
import type { SseEvent } from './sse-events';
import { SseEventReader } from './sse-events';
import type { UpstreamExchange } from './upstream-exchange';
import { MAX_ANSWER_BYTES } from './whole-body';

/** How one wire's events become frames. It is given each event once, in order. */
export interface EventTranslator {
  /** Adds the event's frames to `into`; after an `end` or `failure` it is asked nothing more. */
  translate(event: SseEvent, into: Frame[]): void;
  /**
   * The last frame of a stream whose events have ended, for the reason given, without a terminator. What still has to be
   * said before it is added to `into`.
   */
  close(reason: Signal, into: Frame[]): EndFrame | FailureFrame;
  /** The frames of a body that is no event stream at all (JSON, HTML); its text is trimmed. */
  translateWhole(text: string): readonly Frame[];
}

const DONE: IteratorResult<readonly Frame[]> = { done: true, value: undefined };
const MALFORMED_FRAME: Signal = { kind: 'malformed', what: 'oversized_frame' };

/** `{`, `[` and `<` begin JSON and HTML, and no line of an event stream that means anything. */
const WHOLE_BODY_STARTS: readonly number[] = [0x7b, 0x5b, 0x3c];
const isBlank = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/**
 * The frames of one streamed answer, a group per network read. It ends after its `end` or `failure`; if the call was
 * aborted it just ends, for the caller knows why.
 */
export class EventFrames implements AsyncIterable<readonly Frame[]>, AsyncIterator<readonly Frame[]> {
  private readonly reader = new SseEventReader();
  private mode: 'unknown' | 'events' | 'whole' = 'unknown';
  private wholeChunks: Buffer[] = [];
  private wholeBytes = 0;
  private finished = false;

  constructor(
    private readonly exchange: Pick<UpstreamExchange, 'read' | 'cut' | 'release'>,
    private readonly translator: EventTranslator,
    private readonly onActivity: () => void,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<readonly Frame[]>> {
    while (!this.finished) {
      const frames = await this.readFrames();
      if (frames === null) return DONE;
      const last = frames.at(-1);
      if (last === undefined) continue;
      if (last.kind === 'end') this.finish('release');
      else if (last.kind === 'failure') this.finish('cut');
      return { done: false, value: frames };
    }
    return DONE;
  }

  /** The caller wants no more: the socket is closed at once. */
  async return(): Promise<IteratorResult<readonly Frame[]>> {
    if (!this.finished) this.finish('cut');
    return DONE;
  }

  private async readFrames(): Promise<readonly Frame[] | null> {
    const read = await this.exchange.read();
    try {
      switch (read.kind) {
        case 'chunks':
          this.onActivity();
          return this.translateChunks(read.chunks);
        case 'end':
          return this.translateEnd();
        case 'broken':
          return this.translateBreak(read.error);
        case 'cut':
          this.finished = true;
          return null;
      }
    } catch (error) {
      return [failure(defectSignal(error))];
    }
  }

  private translateChunks(chunks: readonly Buffer[]): readonly Frame[] {
    const frames: Frame[] = [];
    for (const chunk of chunks) {
      if (this.mode === 'unknown') this.mode = modeOf(chunk);
      const size = this.mode === 'whole' ? this.keep(chunk) : this.translateEvents(chunk, frames);
      if (size === 'oversized') frames.push(failure(MALFORMED_FRAME));
      if (isLast(frames.at(-1))) break;
    }
    return frames;
  }

  private translateEvents(chunk: Buffer, frames: Frame[]): 'ok' | 'oversized' {
    const events: SseEvent[] = [];
    const size = this.reader.feed(chunk, events);
    this.translateEach(events, frames);
    return size === 'ok' || isLast(frames.at(-1)) ? 'ok' : 'oversized';
  }

  private translateEnd(): readonly Frame[] {
    if (this.mode === 'whole') {
      return this.translator.translateWhole(Buffer.concat(this.wholeChunks).toString('utf8').trim());
    }
    const events: SseEvent[] = [];
    const frames: Frame[] = [];
    this.reader.end(events);
    this.translateEach(events, frames);
    if (!isLast(frames.at(-1))) frames.push(this.translator.close({ kind: 'truncated' }, frames));
    return frames;
  }

  private translateBreak(error: unknown): readonly Frame[] {
    const frames: Frame[] = [];
    frames.push(this.translator.close(networkSignal(error), frames));
    return frames;
  }

  private translateEach(events: readonly SseEvent[], frames: Frame[]): void {
    for (const event of events) {
      this.translator.translate(event, frames);
      if (isLast(frames.at(-1))) return;
    }
  }

  private keep(chunk: Buffer): 'ok' | 'oversized' {
    this.wholeChunks.push(chunk);
    this.wholeBytes += chunk.length;
    return this.wholeBytes > MAX_ANSWER_BYTES ? 'oversized' : 'ok';
  }

  private finish(how: 'release' | 'cut'): void {
    this.finished = true;
    this.exchange[how]();
  }
}

/** A bug of ours. Only the error's name is told: its message may quote the answer or a key. */
export function defectSignal(error: unknown): LocalSignal {
  const name = error instanceof Error ? error.name : typeof error;
  return { kind: 'local', cause: 'defect', param: null, message: `unexpected ${name} in a provider adapter` };
}

function modeOf(chunk: Buffer): 'unknown' | 'events' | 'whole' {
  for (const byte of chunk) {
    if (!isBlank(byte)) return WHOLE_BODY_STARTS.includes(byte) ? 'whole' : 'events';
  }
  return 'unknown';
}

function isLast(frame: Frame | undefined): boolean {
  return frame?.kind === 'end' || frame?.kind === 'failure';
}

function failure(signal: Signal): FailureFrame {
  return { kind: 'failure', signal };
}
