import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** Status and headers as they came over the wire. */
export type UpstreamHead = Readonly<{ status: number; headers: IncomingHttpHeaders }>;

/** What arrived since the last read: everything at once, so that a burst costs one promise. */
export type BodyRead =
  | Readonly<{ kind: 'chunks'; chunks: readonly Buffer[] }>
  | Readonly<{ kind: 'end' }>
  | Readonly<{ kind: 'broken'; error: unknown }>
  /** We ended the exchange ourselves. */
  | Readonly<{ kind: 'cut' }>;

/** Unread bytes at which the socket is paused, so that a slow caller slows its provider. */
const PAUSE_AT_BYTES = 256 * 1024;
/** How long the rest of an answered exchange may take to end before its socket is given up. */
const LINGER_MS = 1_000;

const END: BodyRead = { kind: 'end' };
const CUT: BodyRead = { kind: 'cut' };

/**
 * One request and its response, straight from undici's dispatcher: no web stream, no Node stream, and no timer but ours.
 * `abort` ends it in every phase, and its socket with it.
 */
export class UpstreamExchange implements Dispatcher.DispatchHandler {
  /** True once the request was handed to the transport: a failure before that is our own. */
  started = false;
  private received: UpstreamHead | null = null;
  private controller: Dispatcher.DispatchController | null = null;
  private headWaiter: Readonly<{ resolve: () => void; reject: (error: unknown) => void }> | null = null;
  private bodyWaiter: ((read: BodyRead) => void) | null = null;
  private chunks: Buffer[] = [];
  private bufferedBytes = 0;
  private outcome: BodyRead | null = null;
  private released = false;
  private lingering: NodeJS.Timeout | undefined;

  constructor(private readonly abort: AbortSignal) {}

  /** True once the response headers are there. */
  get answered(): boolean {
    return this.received !== null;
  }

  /** Once `run` has resolved; throws before. */
  get head(): UpstreamHead {
    if (this.received === null) throw new Error('the response has no headers yet');
    return this.received;
  }

  /** Sends the request; resolves when the response headers are there, rejects with the transport's own error. */
  run(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      this.started = true;
      this.headWaiter = { resolve, reject };
      if (this.abort.aborted) return this.cut();
      this.abort.addEventListener('abort', this.cut, { once: true });
      dispatcher.dispatch(options, this);
    });
  }

  /** Waits for more of the body. One reader at a time. */
  read(): Promise<BodyRead> {
    if (this.chunks.length > 0) return Promise.resolve(this.take());
    if (this.outcome !== null) return Promise.resolve(this.outcome);
    return new Promise((resolve) => {
      this.bodyWaiter = resolve;
    });
  }

  /** Ends the exchange now and closes its socket. */
  readonly cut = (): void => {
    if (this.outcome !== null) return;
    this.chunks = [];
    this.finish(CUT);
    this.controller?.abort(new Error('the exchange was cut'));
  };

  /** The answer is complete: what still comes is dropped, and the socket is kept for the next request if it ends soon. */
  release(): void {
    this.chunks = [];
    this.released = true;
    if (this.outcome !== null) return;
    this.controller?.resume();
    this.lingering = setTimeout(this.cut, LINGER_MS).unref();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // The abort came while the request was still waiting for its socket.
    if (this.outcome !== null) controller.abort(new Error('the exchange was cut'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.received = { status, headers };
    this.headWaiter?.resolve();
    this.headWaiter = null;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.released || this.outcome !== null) return;
    this.chunks.push(chunk);
    this.bufferedBytes += chunk.length;
    if (this.bodyWaiter !== null) this.wakeReader();
    else if (this.bufferedBytes >= PAUSE_AT_BYTES) controller.pause();
  }

  onResponseEnd(): void {
    this.finish(END);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.finish({ kind: 'broken', error });
  }

  private finish(outcome: BodyRead): void {
    if (this.outcome !== null) return;
    this.outcome = outcome;
    this.abort.removeEventListener('abort', this.cut);
    clearTimeout(this.lingering);
    this.headWaiter?.reject(
      outcome.kind === 'broken' ? outcome.error : new Error('no response: the exchange was cut'),
    );
    this.headWaiter = null;
    if (this.bodyWaiter !== null) this.wakeReader();
  }

  private wakeReader(): void {
    const resolve = this.bodyWaiter;
    this.bodyWaiter = null;
    resolve?.(this.chunks.length > 0 ? this.take() : (this.outcome ?? END));
  }

  private take(): BodyRead {
    const chunks = this.chunks;
    this.chunks = [];
    this.bufferedBytes = 0;
    if (this.controller?.paused === true) this.controller.resume();
    return { kind: 'chunks', chunks };
  }
}
