import type { ServerResponse } from 'node:http';
import type { ChatAnswer } from '../../../domain/chat/chat-answer';
import type { GatewayError } from '../../../domain/error/gateway-error';
import type { Ledger } from '../../../domain/interaction/ledger';
import type { ServedFacts } from '../../../domain/interaction/served-facts';
import type { RequestId } from '../../../domain/kernel/ids';
import type { ChunkFrame } from '../../../domain/stream/frame';
import type {
  Reply,
  ReplyEnding,
  SentAnswer,
  WriteProgress,
  WrittenAnswer,
} from '../../../usecase/port/reply';
import { presentError } from '../error/error-presenter';
import { ChunkPresenter, presentAnswer, servedHeaders } from './chat-presenter';
import { endResponse } from './end-response';
import { kept, type Transcript } from './transcript';

/** Proxies commonly cut connections that are silent for 30 to 60 s. */
const KEEP_ALIVE_MS = 15_000;
const OPENAI_VERSION = '2020-10-01';

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};
const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };

export type ReplyTo = Readonly<{
  requestId: string;
  includeUsage: boolean;
  receivedAtMs: number;
  nowMs: () => number;
  /** Keeps what a stream says. Absent: nobody will ask for it again. */
  transcript?: Transcript;
}>;

/** The caller's end of one interaction over HTTP. */
export class HttpReply implements Reply {
  private readonly gone = new AbortController();
  private keepAlive: NodeJS.Timeout | null = null;
  private presenter: ChunkPresenter | null = null;
  private lastWriteMs = 0;
  private ended = false;
  private repeats = false;
  private whole: WrittenAnswer | null = null;

  constructor(
    private readonly res: ServerResponse,
    private readonly to: ReplyTo,
  ) {
    if (res.destroyed) this.gone.abort();
    res.once('close', () => {
      this.stopKeepAlive();
      if (!res.writableFinished) this.gone.abort();
    });
  }

  get callerGone(): AbortSignal {
    return this.gone.signal;
  }

  /** It was given before, to the request that it is known by. */
  get isRepeat(): boolean {
    return this.repeats;
  }

  /** What went out until now, of a stream only with a transcript; null: nothing did. */
  get written(): WrittenAnswer | null {
    return this.whole ?? this.to.transcript?.written ?? null;
  }

  open(): void {
    if (this.over || this.res.headersSent) return;
    this.begin({});
    this.res.write(': waiting for the provider\n\n');
  }

  write(frames: readonly ChunkFrame[], facts: ServedFacts): WriteProgress {
    const { res } = this;
    const { transcript } = this.to;
    // What a caller who has just left didn't take is what he will ask for.
    if (this.over && transcript === undefined) return 'flowing';
    if (!res.headersSent) this.begin(servedHeaders(facts));
    const text = this.textOf(frames, facts);
    transcript?.add(text);
    if (text === '' || this.over) return 'flowing';
    this.lastWriteMs = this.to.nowMs();
    return res.write(text) ? 'flowing' : { drained: drainedOrClosed(res) };
  }

  answer(answer: ChatAnswer, facts: ServedFacts): void {
    this.send(this.wholeOf(answer, facts));
  }

  end(facts: ServedFacts): void {
    // An answer without a single frame for this caller is still an answer: its head has to go out.
    this.write([], facts);
    this.finish(this.endOfStream());
  }

  fail(error: GatewayError, attempts: Ledger): void {
    const failure = this.failureOf(error, attempts);
    // No [DONE] follows: the caller must not take what he has for a complete answer.
    if (this.res.headersSent) this.finish(eventOf(failure.body));
    else this.send(failure);
  }

  transcript(ending: ReplyEnding): SentAnswer | null {
    switch (ending.kind) {
      case 'answer':
        return kept(this.wholeOf(ending.answer, ending.facts));
      case 'end':
        this.write([], ending.facts);
        return this.to.transcript?.complete(this.endOfStream()) ?? null;
      case 'fail': {
        const failure = this.failureOf(ending.error, ending.attempts);
        if (!this.res.headersSent) return kept(failure);
        return this.to.transcript?.complete(eventOf(failure.body)) ?? null;
      }
    }
  }

  repeat({ status, headers, body }: SentAnswer, requestId: RequestId): void {
    this.repeats = true;
    const again = { ...headers, 'x-request-id': requestId, 'idempotent-replayed': 'true' };
    this.send({ status, headers: again, body });
  }

  abandon(): void {
    this.stopKeepAlive();
    this.res.destroy();
  }

  /** Ended by us, or left by the caller: nothing may be written any more. */
  private get over(): boolean {
    return this.ended || this.res.destroyed || this.res.writableEnded;
  }

  private begin(served: Readonly<Record<string, string>>): void {
    const headers = { ...STREAM_HEADERS, ...served };
    this.to.transcript?.begin(headers);
    if (this.over) return;
    this.res.writeHead(200, { ...headers, ...this.timing() });
    this.res.flushHeaders();
    this.keepAlive = setInterval(() => this.breakSilence(), KEEP_ALIVE_MS);
  }

  private breakSilence(): void {
    if (this.over || this.res.writableNeedDrain) return;
    if (this.to.nowMs() - this.lastWriteMs >= KEEP_ALIVE_MS) this.res.write(': keep-alive\n\n');
  }

  private textOf(frames: readonly ChunkFrame[], facts: ServedFacts): string {
    this.presenter ??= new ChunkPresenter(facts, this.to);
    let text = '';
    for (const frame of frames) {
      const data = this.presenter.present(frame);
      if (data !== null) text += eventOf(data);
    }
    return text;
  }

  private wholeOf(answer: ChatAnswer, facts: ServedFacts): SentAnswer {
    const headers = { ...JSON_HEADERS, ...servedHeaders(facts) };
    return { status: 200, headers, body: presentAnswer(answer, facts, this.to.requestId) };
  }

  private failureOf(error: GatewayError, attempts: Ledger): SentAnswer {
    const { status, headers, body } = presentError(error, { requestId: this.to.requestId, attempts });
    return { status, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(body) };
  }

  private endOfStream(): string {
    const usage = this.presenter?.usageChunk() ?? null;
    return `${usage === null ? '' : eventOf(usage)}${eventOf('[DONE]')}`;
  }

  private send({ status, headers, body }: SentAnswer): void {
    if (this.over) return;
    const length = { 'content-length': String(Buffer.byteLength(body)) };
    this.res.writeHead(status, { ...headers, ...this.timing(), ...length });
    this.whole = { status, text: body, characters: body.length };
    this.endWith(body);
  }

  /** What OpenAI sends with every answer, and dashboards read (HEADERS §4): our own handling, the provider's included. */
  private timing(): Record<string, string> {
    const { nowMs, receivedAtMs } = this.to;
    return { 'openai-processing-ms': String(nowMs() - receivedAtMs), 'openai-version': OPENAI_VERSION };
  }

  private finish(text: string): void {
    this.stopKeepAlive();
    this.to.transcript?.add(text);
    if (!this.over) this.endWith(text);
  }

  private endWith(text: string): void {
    this.ended = true;
    endResponse(this.res, text);
  }

  private stopKeepAlive(): void {
    if (this.keepAlive !== null) clearInterval(this.keepAlive);
    this.keepAlive = null;
  }
}

function eventOf(data: string): string {
  return `data: ${data}\n\n`;
}

function drainedOrClosed(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      res.off('drain', done);
      res.off('close', done);
      resolve();
    };
    res.once('drain', done);
    res.once('close', done);
  });
}
