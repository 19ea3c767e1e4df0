import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

export type ReceivedRequest = Readonly<{
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Resolves when the socket of this request has closed. */
  closed: Promise<void>;
}>;

/** What the upstream does with a request, byte by byte. */
export type RawReply = Readonly<{
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** Each piece is one write, in its own turn of the event loop. */
  pieces?: readonly (string | Uint8Array)[];
  /** After the last piece; `end` is the default. `silence` keeps the socket open. */
  then?: 'end' | 'reset' | 'close' | 'silence';
  /** Nothing is answered at all. */
  silent?: true;
}>;

/** A provider that answers exactly the bytes it is told. */
export class RawUpstream {
  readonly requests: ReceivedRequest[] = [];
  readonly baseUrl: string;
  private readonly sockets = new Map<Socket, Promise<void>>();

  private constructor(
    private readonly server: Server,
    private reply: RawReply,
  ) {
    this.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    server.on('connection', (socket) => {
      this.sockets.set(socket, new Promise((resolve) => socket.once('close', () => resolve())));
      socket.setNoDelay(true);
    });
    server.on('request', (request, response) => void this.answer(request, response));
  }

  static async start(reply: RawReply = {}): Promise<RawUpstream> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new RawUpstream(server, reply);
  }

  will(reply: RawReply): void {
    this.reply = reply;
  }

  get connections(): number {
    return this.sockets.size;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets.keys()) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers, socket } = request;
    const closed = this.sockets.get(socket) ?? Promise.resolve();
    this.requests.push({ method, url, headers, body: Buffer.concat(chunks).toString(), closed });
    if (this.reply.silent !== true) await write(this.reply, response);
  }
}

const ENDINGS: Readonly<Record<NonNullable<RawReply['then']>, (response: ServerResponse) => void>> = {
  end: (response) => response.end(),
  reset: (response) => response.socket?.resetAndDestroy(),
  close: (response) => response.socket?.destroy(),
  silence: () => {},
};

async function write(
  { status = 200, headers = {}, pieces = [], then = 'end' }: RawReply,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(status, headers);
  response.flushHeaders();
  for (const piece of pieces) {
    await setImmediate();
    response.write(piece);
  }
  await setImmediate();
  ENDINGS[then](response);
}
