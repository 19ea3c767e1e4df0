import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ExtraHeaders } from './behaviour';
import type { CallLog, CallRecord } from './call-log';

/** A TCP reset throws away what the other side hasn't read yet; on loopback this is enough to be read. */
const RESET_GRACE_MS = 20;

/** The caller's side of one call: writes at the reader's pace, waits without leaking timers, breaks on purpose. */
export class Reply {
  private readonly gone = new AbortController();

  constructor(
    private readonly response: ServerResponse,
    private readonly record: CallRecord,
    private readonly log: CallLog,
  ) {
    response.on('finish', () => log.close(record, 'finished'));
    // A destroyed socket after our own reset was already booked as ours: the first ending stands.
    response.on('close', () => {
      log.close(record, response.writableFinished ? 'finished' : 'closed_by_peer');
      this.gone.abort();
    });
    // Writing to a socket that the caller has just reset is no failure of the simulator.
    response.on('error', () => undefined);
  }

  /** False once the socket is closed, by whomever. */
  get isOpen(): boolean {
    return !this.gone.signal.aborted && !this.response.destroyed;
  }

  /** Sends status and headers at once, so that a caller sees them before the first body byte. */
  head(status: number, headers: ExtraHeaders): void {
    if (!this.isOpen) return;
    this.response.writeHead(
      status,
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : [...value],
        ]),
      ),
    );
    this.response.flushHeaders();
  }

  /** Hands bytes to the socket and waits while it is full. */
  async write(bytes: string | Uint8Array): Promise<void> {
    if (!this.isOpen || bytes.length === 0) return;
    const hasRoom = this.response.write(bytes);
    this.log.written(this.record, Buffer.byteLength(bytes), !hasRoom);
    if (!hasRoom) await this.drained();
  }

  /** A proper end of the response. */
  end(bytes: string | Uint8Array = ''): void {
    if (!this.isOpen) return;
    this.log.written(this.record, Buffer.byteLength(bytes), false);
    this.response.end(bytes);
  }

  /** TCP reset: the caller sees ECONNRESET. Inside a body, what was written gets the time to be read first. */
  async reset(): Promise<void> {
    if (this.response.headersSent) await this.pause(RESET_GRACE_MS);
    this.log.close(this.record, 'closed_by_provider');
    this.response.socket?.resetAndDestroy();
  }

  /** The socket closes without the end of the body. */
  close(): void {
    this.log.close(this.record, 'closed_by_provider');
    this.response.socket?.destroySoon();
  }

  /** Waits, or until the socket closes. Zero gives the event loop one turn, so that writes aren't glued together. */
  async pause(ms: number): Promise<void> {
    if (!this.isOpen) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.gone.signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.gone.signal.addEventListener('abort', wake);
    });
  }

  /** Until the promise is settled or the socket closes, whichever comes first. */
  async waitFor(release: Promise<void>): Promise<void> {
    await Promise.race([release, this.closed()]);
  }

  async closed(): Promise<void> {
    if (this.isOpen) await once(this.gone.signal, 'abort');
  }

  private async drained(): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.response.off('drain', wake);
        this.gone.signal.removeEventListener('abort', wake);
        resolve();
      };
      this.response.on('drain', wake);
      this.gone.signal.addEventListener('abort', wake);
    });
  }
}
