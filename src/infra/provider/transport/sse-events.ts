import { createParser } from 'eventsource-parser';
import type { EventSourceParser, ParseError } from 'eventsource-parser';

/** One server-sent event. */
export type SseEvent = Readonly<{
  /** The event's name; empty if it has none. */
  name: string;
  data: string;
  /** False: the stream ended inside it, so its data may be cut. */
  complete: boolean;
}>;

/** Characters of one event. Images come as base64 in a single one; more than this is no answer. */
export const MAX_EVENT_CHARS = 16 * 1024 * 1024;

/**
 * Reads server-sent events from bytes, however the network cut them (WIRE §11 rule 1): one streaming UTF-8 decoder, every
 * kind of line end, comments left out, invalid bytes replaced. A bare line `error: {…}`, which llama-box sends, becomes
 * an event named `error`.
 */
export class SseEventReader {
  private readonly decoder = new TextDecoder();
  private readonly parser: EventSourceParser;
  private into: SseEvent[] = [];
  private complete = true;
  private oversized = false;
  /** The line that has not ended yet. The parser is given whole lines only: it drops a cut one that it doesn't know. */
  private pending = '';

  constructor(private readonly maxEventChars: number = MAX_EVENT_CHARS) {
    this.parser = createParser({
      maxBufferSize: maxEventChars,
      onEvent: ({ event, data }) => this.into.push({ name: event ?? '', data, complete: this.complete }),
      onError: (error) => this.onParseError(error),
    });
  }

  /** Adds the events that these bytes complete to `into`. `oversized` is final. */
  feed(bytes: Uint8Array, into: SseEvent[]): 'ok' | 'oversized' {
    return this.accept(this.decoder.decode(bytes, { stream: true }), into);
  }

  /** The stream has ended: its last event counts even without the blank line that should follow it. */
  end(into: SseEvent[]): 'ok' | 'oversized' {
    const before = this.accept(this.decoder.decode(), into);
    if (before === 'oversized') return before;
    this.complete = false;
    return this.accept('\n\n', into);
  }

  private accept(text: string, into: SseEvent[]): 'ok' | 'oversized' {
    if (this.oversized) return 'oversized';
    this.into = into;
    const lineEnd = text.endsWith('\n')
      ? text.length
      : Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
    if (lineEnd === 0) {
      this.pending += text;
    } else {
      const lines = lineEnd === text.length ? text : text.slice(0, lineEnd);
      this.parser.feed(this.pending === '' ? lines : this.pending + lines);
      this.pending = text.slice(lineEnd);
    }
    if (this.pending.length > this.maxEventChars) this.oversized = true;
    return this.oversized ? 'oversized' : 'ok';
  }

  private onParseError(error: ParseError): void {
    if (error.type === 'max-buffer-size-exceeded') this.oversized = true;
    if (error.type !== 'unknown-field' || error.field !== 'error') return;
    const value = error.value?.trim() ?? '';
    if (value.startsWith('{')) this.into.push({ name: 'error', data: value, complete: true });
  }
}
