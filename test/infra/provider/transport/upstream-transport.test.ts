import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Agent } from 'undici';
import { UpstreamExchange } from '../../../../src/infra/provider/transport/upstream-exchange';
import { UpstreamTransport } from '../../../../src/infra/provider/transport/upstream-transport';
import { LoopbackServer } from '../../../support/loopback-server';

/** undici itself gives up after 300 s, for the headers and for each silence in the body. */
const LONGER_THAN_UNDICI_MS = 301_000;
/** undici's own clock ticks about twice a second. */
const STEP_MS = 500;

describe('the timeouts of the HTTP client', () => {
  let server: LoopbackServer;
  let arrived: (res: ServerResponse) => void;

  beforeAll(async () => {
    server = await LoopbackServer.start((_req, res) => arrived(res));
    // For all tests once: undici keeps one timer for all of its clients, and would go on with that of the first test.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask'] });
  });
  afterAll(async () => {
    jest.useRealTimers();
    await server.stop();
  });

  const nextResponse = (): Promise<ServerResponse> => new Promise((resolve) => (arrived = resolve));

  /** Lets virtual time pass in small steps, so that whoever starts a timer anew in one is heard in the next. */
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      jest.advanceTimersByTime(STEP_MS);
      await nextTurn();
    }
  };

  it('cut neither the headers nor the body of a call that takes longer than their defaults', async () => {
    const upstream = new UpstreamTransport();
    const exchange = new UpstreamExchange(new AbortController().signal);
    const responses = nextResponse();
    const head = { method: 'POST', origin: server.url, path: '/', headers: {} } as const;
    const called = upstream.send(exchange, head, { headers: {}, body: '{}' });
    const response = await responses;

    await pass(LONGER_THAN_UNDICI_MS);
    response.writeHead(200).write('first');
    await called;
    const first = await exchange.read();
    const second = exchange.read();
    await pass(LONGER_THAN_UNDICI_MS);
    response.end('second');

    expect(exchange.head?.status).toBe(200);
    expect(first).toMatchObject({ kind: 'chunks', chunks: [Buffer.from('first')] });
    expect(await second).toMatchObject({ kind: 'chunks', chunks: [Buffer.from('second')] });
    await upstream.close();
  });

  // The counter-test: with undici's defaults the same wait is cut.
  it('would cut it by default', async () => {
    const agent = new Agent();
    const responses = nextResponse();
    const called = agent.request({ origin: server.url, path: '/', method: 'GET' }).catch((error) => error);
    await responses;

    await pass(LONGER_THAN_UNDICI_MS);

    expect(await called).toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' });
    await agent.destroy();
  });
});
