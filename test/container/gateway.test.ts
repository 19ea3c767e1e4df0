import { createServer, request as httpRequest, type RequestListener, type ServerResponse } from 'node:http';
import { closeAll, Gateway, httpServer, listen } from '../../src/container/gateway';
import { RawClient } from '../support/raw-client';

type Options = Readonly<{
  graceMs?: number;
  announceStop?: () => void;
  stopDelayMs?: number;
  closers?: (() => Promise<unknown>)[];
  endInteractions?: () => void;
}>;

const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

describe('gateway', () => {
  let clients: RawClient[];

  beforeEach(() => {
    clients = [];
  });
  afterEach(() => {
    for (const client of clients) client.leave();
  });

  const start = async (listener: RequestListener, options: Options = {}): Promise<Gateway> => {
    const server = httpServer(listener);
    const baseUrl = await listen(server, { host: '127.0.0.1', port: 0 });
    return new Gateway(baseUrl, {
      server,
      announceStop: () => undefined,
      stopDelayMs: 0,
      graceMs: 5_000,
      finalMs: 1_000,
      closers: [],
      endInteractions: () => undefined,
      ...options,
    });
  };
  const connect = async ({ baseUrl }: Gateway): Promise<RawClient> => {
    const client = await RawClient.connect(Number(new URL(baseUrl).port));
    clients.push(client);
    return client;
  };
  const elapsed = async (work: Promise<unknown>): Promise<number> => {
    const before = performance.now();
    await work;
    return performance.now() - before;
  };

  it('says where it listens', async () => {
    const gateway = await start((_req, res) => res.end());

    expect(gateway.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await gateway.stop();
  });

  it('rejects with the reason when the address is taken', async () => {
    const gateway = await start((_req, res) => res.end());
    const port = Number(new URL(gateway.baseUrl).port);

    await expect(
      listen(
        httpServer(() => undefined),
        { host: '127.0.0.1', port },
      ),
    ).rejects.toThrow(
      `Port ${port} of 127.0.0.1 is taken by another process. Stop that one, or set PORT to a free port.`,
    );
    await gateway.stop();
  });

  it('names the setting when the address is none of this machine', async () => {
    const server = httpServer(() => undefined);

    await expect(listen(server, { host: '203.0.113.7', port: 0 })).rejects.toThrow(
      "HOST must be an address of this machine, not '203.0.113.7'.",
    );
  });

  // STACK §2: load balancers reuse connections for up to a minute.
  it('keeps idle connections longer than load balancers do', () => {
    const server = httpServer(() => undefined);

    expect(server.keepAliveTimeout).toBe(65_000);
    expect(server.headersTimeout).toBe(70_000);
  });

  // Node's 300 s `requestTimeout` is for the arrival of a request; a silent response may take as long as its policy says.
  it('never cuts a response that has been silent for long', async () => {
    const server = httpServer(() => undefined);

    expect(server.timeout).toBe(0);
    expect(server.requestTimeout).toBe(300_000);
  });

  it('limits the arrival of a request and not its response', async () => {
    const limits = { headersTimeout: 200, requestTimeout: 200, connectionsCheckingInterval: 10 };
    let waiting = (_res: ServerResponse): void => undefined;
    const arrived = new Promise<ServerResponse>((resolve) => (waiting = resolve));
    const server = createServer(limits, (_req, res) => waiting(res));
    const url = new URL(await listen(server, { host: '127.0.0.1', port: 0 }));
    const patient = await RawClient.connect(Number(url.port));
    const slow = await RawClient.connect(Number(url.port));
    patient.send('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    slow.send('GET / HTTP/1.1\r\nhost: x\r\n');
    const response = await arrived;

    // By then the limits are over for both.
    const refused = await slow.toEnd();
    response.end('late');

    expect(refused).toMatch(/^HTTP\/1\.1 408 /);
    expect(await patient.toEnd()).toMatch(/^HTTP\/1\.1 200 [^]*late/);
    server.close();
  });

  it('leaves it to the listener to ask for a body', async () => {
    const gateway = await start((req, res) => res.end(req.headers.expect));
    const client = await connect(gateway);

    client.send(
      'POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\nconnection: close\r\ncontent-length: 5\r\n\r\n',
    );

    expect(await client.toEnd()).toMatch(/^HTTP\/1\.1 200 OK/);
    await gateway.stop();
  });

  describe('when it stops', () => {
    it('closes idle connections at once, not after their keep-alive', async () => {
      const gateway = await start((_req, res) => res.end('served'));
      const client = await connect(gateway);
      client.send(GET);
      await client.until('served');

      expect(await elapsed(gateway.stop())).toBeLessThan(1_000);
      await client.toEnd();
    });

    // A stop took the whole grace period when a pool had opened a connection ahead, and not used it yet.
    it('closes a connection at once on which nothing was ever asked', async () => {
      const gateway = await start((_req, res) => res.end());
      const client = await connect(gateway);

      expect(await elapsed(gateway.stop())).toBeLessThan(1_000);
      expect(await client.toEnd()).toBe('');
    });

    it('says so first, and still accepts while load balancers have time to notice', async () => {
      let announced = false;
      const gateway = await start((_req, res) => res.end('served'), {
        announceStop: () => (announced = true),
        stopDelayMs: 300,
      });

      const stopping = gateway.stop();

      expect(announced).toBe(true);
      const late = await connect(gateway);
      late.send(GET);
      await late.until('served');
      expect(await elapsed(stopping)).toBeLessThan(1_000);
      await late.toEnd();
    });

    // Behind a proxy, the requests of a moment were lost with the idle connections that the end of the delay closed.
    it('makes each answer the last one of its connection while it still accepts', async () => {
      const gateway = await start((_req, res) => res.end('served'), { stopDelayMs: 300 });
      const client = await connect(gateway);
      client.send(GET);
      await client.until('served');
      expect(client.received).toMatch(/\r\nconnection: keep-alive\r\n/i);

      const stopping = gateway.stop();
      client.send(GET);

      expect(await client.toEnd()).toMatch(/served[^]*\r\nconnection: close\r\n[^]*served/i);
      await stopping;
    });

    it('does not wait for a caller who reads nothing', async () => {
      const megabytes = Buffer.alloc(16 * 1024 * 1024);
      let end = (): void => undefined;
      const gateway = await start(
        (_req, res) => {
          res.write(megabytes);
          end = () => res.end('ended');
        },
        { graceMs: 20, endInteractions: () => end() },
      );
      const client = await connect(gateway);
      client.socket.pause();
      client.send(GET);

      expect(await elapsed(gateway.stop())).toBeLessThan(3_000);
    });

    it('takes no new connection', async () => {
      const gateway = await start((_req, res) => res.end());
      await gateway.stop();

      await expect(connect(gateway)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    });

    it('lets running responses finish within the grace period, and is done soon after', async () => {
      let finish = (): void => undefined;
      let ended = false;
      const gateway = await start(
        (_req, res) => {
          res.write('begun ');
          finish = () => res.end('finished');
        },
        { endInteractions: () => (ended = true) },
      );
      const client = await connect(gateway);
      client.send(GET);
      await client.until('begun');

      const stopping = gateway.stop();
      finish();

      expect(await elapsed(stopping)).toBeLessThan(1_000);
      expect(client.received).toContain('finished');
      expect(ended).toBe(true);
    });

    // It could go on asking on its connection for the whole grace period.
    it('makes the answer to a request that still comes the last one of its connection', async () => {
      let finish = (): void => undefined;
      const gateway = await start((req, res) => {
        if (req.url === '/slow') {
          res.write('begun');
          finish = () => res.end();
        } else res.end('late');
      });
      const client = await connect(gateway);
      client.send('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n');
      await client.until('begun');
      const stopping = gateway.stop();

      client.send(GET);
      finish();

      expect(await client.toEnd()).toMatch(/\r\nconnection: close\r\n[^]*late/i);
      await stopping;
    });

    it('ends what still runs after the grace period, which then says goodbye', async () => {
      let end = (): void => undefined;
      const gateway = await start(
        (_req, res) => {
          res.write('begun ');
          end = () => res.end('ended');
        },
        { graceMs: 60, endInteractions: () => end() },
      );
      const client = await connect(gateway);
      client.send(GET);
      await client.until('begun');

      expect(await elapsed(gateway.stop())).toBeLessThan(1_000);
      expect(await client.toEnd()).toContain('ended');
    });

    it('cuts off what doesn’t end even then', async () => {
      const gateway = await start((_req, res) => void res.write('for ever'), { graceMs: 0 });
      const client = await connect(gateway);
      client.send(GET);
      await client.until('for ever');

      const stopMs = await elapsed(gateway.stop());

      expect(stopMs).toBeGreaterThanOrEqual(950);
      expect(stopMs).toBeLessThan(3_000);
      await client.toEnd();
    });

    it('closes its parts one after the other, after the last response', async () => {
      const order: string[] = [];
      const part = (name: string) => async (): Promise<void> => {
        order.push(`${name} closes`);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`${name} closed`);
      };
      const gateway = await start(() => undefined, {
        endInteractions: () => order.push('interactions end'),
        closers: [part('upstream'), part('store')],
      });

      await gateway.stop();

      expect(order).toEqual([
        'interactions end',
        'upstream closes',
        'upstream closed',
        'store closes',
        'store closed',
      ]);
    });

    it('closes the later parts although one fails, and says so', async () => {
      const closed: string[] = [];
      const gateway = await start(() => undefined, {
        closers: [() => Promise.reject(new Error('stuck')), async () => closed.push('store')],
      });

      await expect(gateway.stop()).rejects.toMatchObject({ errors: [new Error('stuck')] });
      expect(closed).toEqual(['store']);
    });

    it('does not wait for ever for a part that hangs, and still closes the later ones', async () => {
      const closed: string[] = [];

      const closing = closeAll([() => new Promise(() => undefined), async () => closed.push('store')], 50);

      await expect(closing).rejects.toMatchObject({ errors: [new Error('It was not closed within 50 ms.')] });
      expect(closed).toEqual(['store']);
    });

    it('stops once, however often it is asked to', async () => {
      let closings = 0;
      const gateway = await start(() => undefined, { closers: [async () => (closings += 1)] });

      await Promise.all([gateway.stop(), gateway.stop()]);

      expect(closings).toBe(1);
    });
  });

  it('writes an IPv6 address as a URL has it', async () => {
    const server = httpServer((_req, res) => res.end());
    const baseUrl = await listen(server, { host: '::1', port: 0 }).catch(() => null);
    // A machine without IPv6 has nothing to show here.
    if (baseUrl === null) return;

    expect(baseUrl).toMatch(/^http:\/\/\[::1\]:\d+$/);
    const status = await new Promise((resolve) =>
      httpRequest(baseUrl, (res) => resolve(res.statusCode)).end(),
    );
    expect(status).toBe(200);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
