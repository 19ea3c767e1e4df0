import type { ServerResponse } from 'node:http';
import type { ChatAnswer } from '../../../domain/chat/chat-answer';
import type { GatewayError } from '../../../domain/error/gateway-error';
import type { Ledger } from '../../../domain/interaction/ledger';
import type { ServedFacts } from '../../../domain/interaction/served-facts';
import type { ChunkFrame } from '../../../domain/stream/frame';
import type { Reply, WriteProgress } from '../../../usecase/port/reply';
import { presentError } from '../error/error-presenter';
import { ChunkPresenter, presentAnswer, servedHeaders } from './chat-presenter';
import { endResponse } from './end-response';

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
}>;

/** The caller's end of one interaction over HTTP. */
export class HttpReply implements Reply {
  private readonly gone = new AbortController();
  private keepAlive: NodeJS.Timeout | null = null;
  private presenter: ChunkPresenter | null = null;
  private lastWriteMs = 0;
  private ended = false;

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

  open(): void {
    if (this.over || this.res.headersSent) return;
    this.begin({});
    this.res.write(': waiting for the provider\n\n');
  }

  write(frames: readonly ChunkFrame[], facts: ServedFacts): WriteProgress {
    const { res } = this;
    if (this.over) return 'flowing';
    if (!res.headersSent) this.begin(servedHeaders(facts));
    this.presenter ??= new ChunkPresenter(facts, this.to);
    let text = '';
    for (const frame of frames) {
      const data = this.presenter.present(frame);
      if (data !== null) text += `data: ${data}\n\n`;
    }
    if (text === '') return 'flowing';
    this.lastWriteMs = this.to.nowMs();
    return res.write(text) ? 'flowing' : { drained: drainedOrClosed(res) };
  }

  answer(answer: ChatAnswer, facts: ServedFacts): void {
    this.send(200, servedHeaders(facts), presentAnswer(answer, facts, this.to.requestId));
  }

  end(facts: ServedFacts): void {
    // An answer without a single frame for this caller is still an answer: its head has to go out.
    this.write([], facts);
    const usage = this.presenter?.usageChunk() ?? null;
    this.finish(`${usage === null ? '' : `data: ${usage}\n\n`}data: [DONE]\n\n`);
  }

  fail(error: GatewayError, attempts: Ledger): void {
    const presented = presentError(error, { requestId: this.to.requestId, attempts });
    const body = JSON.stringify(presented.body);
    // No [DONE] follows: the caller must not take what he has for a complete answer.
    if (this.res.headersSent) this.finish(`data: ${body}\n\n`);
    else this.send(presented.status, presented.headers, body);
  }

  abandon(): void {
    this.stopKeepAlive();
    this.res.destroy();
  }

  /** Ended by us, or left by the caller: nothing may be written any more. */
  private get over(): boolean {
    return this.ended || this.res.destroyed || this.res.writableEnded;
  }

  private begin(headers: Readonly<Record<string, string>>): void {
    this.res.writeHead(200, { ...STREAM_HEADERS, ...headers, ...this.timing() });
    this.res.flushHeaders();
    this.keepAlive = setInterval(() => this.breakSilence(), KEEP_ALIVE_MS);
  }

  private breakSilence(): void {
    if (this.over || this.res.writableNeedDrain) return;
    if (this.to.nowMs() - this.lastWriteMs >= KEEP_ALIVE_MS) this.res.write(': keep-alive\n\n');
  }

  private send(status: number, headers: Readonly<Record<string, string>>, body: string): void {
    if (this.over) return;
    this.res.writeHead(status, {
      ...JSON_HEADERS,
      ...headers,
      ...this.timing(),
      'content-length': String(Buffer.byteLength(body)),
    });
    this.endWith(body);
  }

  /** What OpenAI sends with every answer, and dashboards read (HEADERS §4): our own handling, the provider's included. */
  private timing(): Record<string, string> {
    const { nowMs, receivedAtMs } = this.to;
    return { 'openai-processing-ms': String(nowMs() - receivedAtMs), 'openai-version': OPENAI_VERSION };
  }

  private finish(text: string): void {
    this.stopKeepAlive();
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
