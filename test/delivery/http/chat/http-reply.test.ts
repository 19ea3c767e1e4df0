import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HttpReply } from '../../../../src/delivery/http/chat/http-reply';
import { LoopbackServer } from '../../../support/loopback-server';
import { RawClient } from '../../../support/raw-client';
import { FAILED_ATTEMPT } from '../../../support/sample-attempt';
import { aFrame, anAnswer, FALLEN_BACK, someFacts } from '../../../support/sample-facts';

type Call = Readonly<{ res: ServerResponse; reply: HttpReply; client: RawClient }>;

const WORD = '{"model":"gpt-s","choices":[{"delta":{"content":"a"}}]}';
const USAGE = '{"model":"gpt-s","choices":[],"usage":{"prompt_tokens":3}}';
const REFUSED = { code: 'provider_failed', message: 'No.', retryAfterMs: null, refusals: [] } as const;

describe('HTTP reply', () => {
  let clockMs = 1_000;
  let server: LoopbackServer;
  let taken: (res: ServerResponse) => void;
  let clients: RawClient[];

  beforeAll(async () => {
    server = await LoopbackServer.start((_req, res) => taken(res));
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    clients = [];
    // The keep-alive interval alone is ours to move; sockets need the rest.
    jest.useFakeTimers({
      doNotFake: [
        'nextTick',
        'setImmediate',
        'clearImmediate',
        'queueMicrotask',
        'setTimeout',
        'clearTimeout',
        'Date',
        'performance',
        'hrtime',
      ],
    });
  });
  afterEach(() => {
    for (const client of clients) client.leave();
    jest.useRealTimers();
  });

  const call = async (includeUsage = false): Promise<Call> => {
    const arrived = new Promise<ServerResponse>((resolve) => (taken = resolve));
    const client = await RawClient.connect(server.port);
    clients.push(client);
    client.send('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    const res = await arrived;
    res.setHeader('x-request-id', 'req_1');
    const receivedAtMs = clockMs;
    const reply = new HttpReply(res, {
      requestId: 'req_1',
      includeUsage,
      receivedAtMs,
      nowMs: () => clockMs,
    });
    return { res, reply, client };
  };

  const pass = (ms: number): void => {
    clockMs += ms;
    jest.advanceTimersByTime(ms);
  };

  /** The body without the chunks' sizes. */
  const bodyOf = (response: string): string =>
    response
      .slice(response.indexOf('\r\n\r\n') + 4)
      .replace(/(?:^|\r\n)[0-9a-f]+\r\n/g, '')
      .replace(/\r\n\r\n$/, '')
      .replace(/\r\n$/, '');
  const headersOf = (response: string): Record<string, string> => {
    const lines = response.slice(0, response.indexOf('\r\n\r\n')).split('\r\n').slice(1);
    const pairs = lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 2),
    ]);
    return Object.fromEntries(pairs.filter(([name]) => name !== 'date'));
  };

  describe('answers whole', () => {
    it('with its own headers and bytes', async () => {
      const { reply, client } = await call();
      clockMs += 250;

      reply.answer(anAnswer('{"model":"gpt-s", "ü":1}'), someFacts());

      const response = await client.toEnd();
      expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(headersOf(response)).toEqual({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'content-length': '25',
        'x-request-id': 'req_1',
        'x-schneeai-provider': 'openai',
        'x-schneeai-model': 'gpt-s',
        'x-schneeai-attempts': '1',
        'openai-processing-ms': '250',
        'openai-version': '2020-10-01',
        connection: 'close',
      });
      expect(response.endsWith('\r\n\r\n{"model":"gpt-s", "ü":1}')).toBe(true);
    });
  });

  describe('streams', () => {
    it('with its own headers, event by event, to a single [DONE]', async () => {
      const { reply, client } = await call(true);
      clockMs += 40;

      reply.write([aFrame(USAGE), aFrame(WORD)], FALLEN_BACK);
      reply.end(FALLEN_BACK);

      const response = await client.toEnd();
      expect(headersOf(response)).toEqual({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
        'transfer-encoding': 'chunked',
        'x-request-id': 'req_1',
        'x-schneeai-provider': 'anthropic',
        'x-schneeai-model': 'claude-s',
        'x-schneeai-attempts': '3',
        'x-schneeai-fallback-reason': 'primary_provider_5xx',
        'openai-processing-ms': '40',
        'openai-version': '2020-10-01',
        connection: 'close',
      });
      const events = bodyOf(response)
        .split('\n\n')
        .map((event) => event.replace(/^data: (\{"model":"[^"]*").*$/, '$1'));
      const model = '{"model":"gpt-s→claude-s (fallback: gpt-s)"';
      expect(events).toEqual([model, model, 'data: [DONE]', '']);
    });

    it('each write at once', async () => {
      const { reply, client } = await call();

      reply.write([aFrame(WORD)], someFacts());

      expect(await client.until('"content":"a"')).toContain(`data: ${WORD}\n\n`);
    });

    it('an answer without any frame for this caller', async () => {
      const { reply, client } = await call();

      reply.end(someFacts());

      const response = await client.toEnd();
      expect(headersOf(response)).toMatchObject({ 'x-schneeai-model': 'gpt-s' });
      expect(bodyOf(response)).toBe('data: [DONE]\n\n');
    });
  });

  describe('opened before anything is decided', () => {
    it('sends a head without a provider, and a comment, once', async () => {
      const { reply, client } = await call();

      reply.open();
      reply.open();
      reply.write([aFrame(WORD)], FALLEN_BACK);
      reply.open();
      reply.end(FALLEN_BACK);

      const response = await client.toEnd();
      expect(Object.keys(headersOf(response)).filter((name) => name.startsWith('x-schneeai'))).toEqual([]);
      expect(bodyOf(response)).toMatch(
        /^: waiting for the provider\n\ndata: \{"model".*"schneeai":.*\n\ndata: \[DONE\]\n\n$/,
      );
    });

    it('breaks every silence of 15 s from then on', async () => {
      const { reply, client } = await call();
      reply.open();

      pass(14_999);
      reply.write([], someFacts());
      pass(1);
      pass(15_000);
      reply.end(someFacts());

      expect(bodyOf(await client.toEnd())).toBe(
        ': waiting for the provider\n\n: keep-alive\n\n: keep-alive\n\ndata: [DONE]\n\n',
      );
    });

    it('does not break what is no silence', async () => {
      const { reply, client } = await call();
      reply.open();

      pass(14_000);
      reply.write([aFrame(WORD)], someFacts());
      pass(1_000);
      reply.end(someFacts());

      expect(bodyOf(await client.toEnd())).toBe(
        `: waiting for the provider\n\ndata: ${WORD}\n\ndata: [DONE]\n\n`,
      );
    });
  });

  describe('fails', () => {
    it('with a status and a body before the head', async () => {
      const { reply, client } = await call();

      reply.fail({ code: 'rate_limit_exceeded', retryAfterMs: 1_500, refusals: [] }, [FAILED_ATTEMPT]);

      const response = await client.toEnd();
      expect(response).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n/);
      expect(headersOf(response)).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'retry-after': '2',
        'retry-after-ms': '1500',
        'x-should-retry': 'false',
      });
      expect(headersOf(response)).not.toHaveProperty('x-schneeai-provider');
      expect(JSON.parse(bodyOf(response))).toMatchObject({
        error: { code: 'rate_limit_exceeded', type: 'rate_limit_error' },
        request_id: 'req_1',
        schneeai: { attempts: [{ number: 1, status: 503, fault: 'server_error', code: 'overloaded' }] },
      });
    });

    it.each<[name: string, begin: (reply: HttpReply) => void]>([
      ['once the response is open', (reply) => reply.open()],
      ['after output', (reply) => reply.write([aFrame(WORD)], someFacts())],
    ])('with an error event %s, and no [DONE]', async (_name, begin) => {
      const { reply, client } = await call();
      begin(reply);

      reply.fail(REFUSED, []);

      const response = await client.toEnd();
      expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      const last = bodyOf(response).trimEnd().split('\n\n').at(-1);
      expect(JSON.parse(last?.slice('data: '.length) ?? '')).toEqual({
        error: { message: 'No.', type: 'server_error', code: 'provider_failed', param: null },
        request_id: 'req_1',
      });
      expect(response).not.toContain('[DONE]');
    });
  });

  it.each<[name: string, end: (reply: HttpReply) => void]>([
    ['a whole answer', (reply) => reply.answer(anAnswer('{"model":"gpt-s"}'), someFacts())],
    ['a stream', (reply) => reply.end(someFacts())],
    ['an error', (reply) => reply.fail(REFUSED, [])],
  ])('writes nothing after the end of %s', async (_name, end) => {
    const { res, reply, client } = await call();
    const failures: unknown[] = [];
    res.on('error', (error) => failures.push(error));
    end(reply);
    const ended = await client.toEnd();

    reply.open();
    reply.write([aFrame('{"model":"late"}')], someFacts());
    reply.end(someFacts());
    reply.fail(REFUSED, []);
    reply.answer(anAnswer('{"model":"late"}'), someFacts());
    pass(60_000);
    await nextTurn();

    expect(ended).not.toContain('late');
    expect(failures).toEqual([]);
  });

  // A second end in the turn of the first one was an 'error' event that nobody took, and ended the process.
  it('takes a failure in the same turn as the end', async () => {
    const { res, reply, client } = await call();
    const failures: unknown[] = [];
    res.on('error', (error) => failures.push(error));

    reply.write([aFrame(WORD)], someFacts());
    reply.end(someFacts());
    reply.fail(REFUSED, []);

    expect(bodyOf(await client.toEnd())).toBe(`data: ${WORD}\n\ndata: [DONE]\n\n`);
    expect(failures).toEqual([]);
  });

  describe('when the caller leaves', () => {
    it('says so, and writes no more', async () => {
      const { res, reply, client } = await call();
      reply.write([aFrame(WORD)], someFacts());
      await client.until('"content":"a"');
      expect(reply.callerGone.aborted).toBe(false);

      client.leave();
      await once(reply.callerGone, 'abort');

      expect(reply.write([aFrame(WORD)], someFacts())).toBe('flowing');
      reply.end(someFacts());
      expect(res.writableEnded).toBe(false);
      expect(jest.getTimerCount()).toBe(0);
    });

    // The interval of a stream that began after the caller had left was never cleared.
    it('starts no timer any more', async () => {
      const { reply, client } = await call();
      client.leave();
      await once(reply.callerGone, 'abort');

      reply.open();
      reply.write([aFrame(WORD)], someFacts());

      expect(jest.getTimerCount()).toBe(0);
    });

    it('is known at once of a caller who had left before', async () => {
      const { res, client } = await call();
      client.leave();
      await once(res, 'close');

      const late = new HttpReply(res, {
        requestId: 'req_1',
        includeUsage: false,
        receivedAtMs: 0,
        nowMs: () => 0,
      });

      expect(late.callerGone.aborted).toBe(true);
    });

    it('is no departure when the answer is complete', async () => {
      const { reply, client } = await call();

      reply.end(someFacts());
      await client.toEnd();
      await nextTurn();

      expect(reply.callerGone.aborted).toBe(false);
      expect(jest.getTimerCount()).toBe(0);
    });
  });

  it('abandons a caller without a word', async () => {
    const { reply, client } = await call();
    reply.write([aFrame(WORD)], someFacts());
    await client.until('"content":"a"');

    reply.abandon();

    expect(await client.toEnd()).not.toContain('[DONE]');
    expect(jest.getTimerCount()).toBe(0);
  });

  describe('under back pressure', () => {
    const HALF_MIB = aFrame(`{"model":"gpt-s","choices":[],"x":"${'x'.repeat(512 * 1024)}"}`);

    const stall = async (): Promise<Call & Readonly<{ drained: Promise<void> }>> => {
      const stalled = await call();
      stalled.client.socket.pause();
      for (let written = 0; written < 64; written += 1) {
        const progress = stalled.reply.write([HALF_MIB], someFacts());
        if (progress === 'flowing') continue;
        const taken = await Promise.race([progress.drained.then(() => true), turns(50).then(() => false)]);
        if (!taken) return { ...stalled, drained: progress.drained };
      }
      throw new Error('The socket took 32 MiB without being read.');
    };
    const turns = async (count: number): Promise<void> => {
      for (let turn = 0; turn < count; turn += 1) await nextTurn();
    };

    it('waits until the caller reads on', async () => {
      const { client, drained, reply } = await stall();

      client.socket.resume();
      await drained;
      reply.end(someFacts());

      expect((await client.toEnd()).trimEnd()).toMatch(/data: \[DONE\]/);
    });

    it('waits no longer than the caller stays', async () => {
      const { client, drained, reply } = await stall();

      client.leave();
      await drained;

      expect(reply.callerGone.aborted).toBe(true);
    });

    it('adds no keep-alive to what he doesn’t read', async () => {
      const { client, reply } = await stall();

      pass(60_000);
      client.socket.resume();
      reply.end(someFacts());

      expect(await client.toEnd()).not.toContain('keep-alive');
    });
  });
});
