import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A small HTTP server on a free port of loopback. */
export class LoopbackServer {
  private constructor(
    readonly server: Server,
    readonly port: number,
  ) {}

  static async start(listener: RequestListener, server = createServer(listener)): Promise<LoopbackServer> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new LoopbackServer(server, (server.address() as AddressInfo).port);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }
}
