import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BodyRead } from '../../../../src/infra/provider/transport/upstream-exchange';
import type { RequestHead } from '../../../../src/infra/provider/transport/request-head';
import { UpstreamExchange } from '../../../../src/infra/provider/transport/upstream-exchange';
import { UpstreamTransport } from '../../../../src/infra/provider/transport/upstream-transport';

describe('upstream exchange', () => {
  let server: Server;
  let url: string;
  let upstream: UpstreamTransport;
  let respond: (response: ServerResponse) => void;

  beforeEach(async () => {
    upstream = new UpstreamTransport();
    server = createServer((_request, response) => respond(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x?y=1`;
  });

  afterEach(async () => {
    await upstream.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const headOf = (address: string): RequestHead => {
    const { origin, pathname, search } = new URL(address);
    return { method: 'POST', origin, path: pathname + search, headers: {} };
  };

  const start = async (): Promise<UpstreamExchange> => {
    const exchange = new UpstreamExchange(new AbortController().signal);
    await upstream.send(exchange, headOf(url), { headers: {}, body: '{}' });
    return exchange;
  };

  it('skips informational responses', async () => {
    respond = (response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.end('ok');
    };

    expect((await start()).head?.status).toBe(200);
  });

  it('pauses a provider that is faster than the reader', async () => {
    const chunk = Buffer.alloc(64 * 1024);
    let stalled: (() => void) | undefined;
    const untilStalled = new Promise<void>((resolve) => (stalled = resolve));
    let written = 0;
    respond = (response) => {
      const write = (): void => {
        while (written < 1024 * 1024 * 1024) {
          written += chunk.length;
          if (!response.write(chunk)) {
            // A while without `drain` means that nobody takes the bytes any more.
            const stall = setTimeout(() => stalled?.(), 300);
            response.once('drain', () => {
              clearTimeout(stall);
              write();
            });
            return;
          }
        }
      };
      write();
    };
    const exchange = await start();

    await untilStalled;

    expect(written).toBeLessThan(64 * 1024 * 1024);
    const read = await exchange.read();
    const bytes = read.kind === 'chunks' ? read.chunks.reduce((sum, part) => sum + part.length, 0) : 0;
    expect(bytes).toBeGreaterThanOrEqual(256 * 1024);
    expect(bytes).toBeLessThan(1024 * 1024);
    const next = exchange.read();
    expect((await next).kind).toBe('chunks');
    exchange.cut();
  });

  it('gives up the socket of a released exchange that does not end', async () => {
    const closed = new Promise<void>((resolve) => {
      respond = (response) => {
        response.write('data: [DONE]\n\n');
        response.once('close', () => resolve());
      };
    });
    const exchange = await start();
    await exchange.read();

    exchange.release();

    await closed;
  });

  it('ends what still runs when it is closed', async () => {
    respond = (response) => response.write('a');
    const exchange = await start();
    await exchange.read();
    const pending = exchange.read();

    await upstream.close();

    const read: BodyRead = await pending;
    expect(read.kind).toBe('broken');
  });
});
