import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BodyRead } from '../../../../src/infra/provider/transport/upstream-exchange';
import { UpstreamExchange } from '../../../../src/infra/provider/transport/upstream-exchange';
import { fetchOptionsOf, UpstreamFetch } from '../../../../src/infra/provider/transport/upstream-fetch';

describe('upstream exchange', () => {
  let server: Server;
  let url: string;
  let upstream: UpstreamFetch;
  let respond: (response: ServerResponse) => void;

  beforeEach(async () => {
    upstream = new UpstreamFetch();
    server = createServer((_request, response) => respond(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x?y=1`;
  });

  afterEach(async () => {
    await upstream.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const start = async (): Promise<UpstreamExchange> => {
    const exchange = new UpstreamExchange(new AbortController().signal);
    await upstream.fetch(url, { method: 'POST', body: '{}', ...fetchOptionsOf(exchange) });
    return exchange;
  };

  it('shows the SDK an empty success, and keeps the real head', async () => {
    respond = (response) => response.writeHead(503, { 'retry-after': '7' }).end('busy');
    const exchange = new UpstreamExchange(new AbortController().signal);

    const response = await upstream.fetch(url, { method: 'POST', ...fetchOptionsOf(exchange) });

    expect([response.status, response.body]).toEqual([200, null]);
    expect(exchange.head).toMatchObject({ status: 503, headers: { 'retry-after': '7' } });
  });

  it('refuses a call that has no exchange', async () => {
    await expect(upstream.fetch(url)).rejects.toThrow('without an exchange');
  });

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
