import { AdmitKey } from '../../../../src/usecase/chat/admit-key';
import { createServer, type IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ChatEndpoint } from '../../../../src/delivery/http/chat/chat-endpoint';
import type { FaultEntry } from '../../../../src/delivery/http/error/error-handler';
import type { ApiKey } from '../../../../src/domain/tenant/api-key';
import type { EndedInteraction } from '../../../../src/usecase/archive/archive-interactions';
import type { AdmittedChat } from '../../../../src/usecase/chat/admitted-chat';
import type { Reply } from '../../../../src/usecase/port/reply';
import { InMemoryConfiguration } from '../../../support/in-memory-configuration';
import { InMemoryRequestRates } from '../../../support/in-memory-request-rates';
import { LoopbackServer } from '../../../support/loopback-server';
import { NumberedSecrets } from '../../../support/numbered-secrets';
import { RawClient } from '../../../support/raw-client';
import { aTenant } from '../../../support/sample-catalog';
import { aFrame, anAnswer, someFacts } from '../../../support/sample-facts';
import { SequentialIds } from '../../../support/sequential-ids';

const BODY = '{"model":"gpt-s","messages":[{"role":"user","content":"Hello"}],"x_unknown":1}';
const MAX_BODY_BYTES = 1_000;
const REQUEST_ID = /^req_\d{26}$/;

type Serve = (chat: AdmittedChat, reply: Reply) => void;

const answering: Serve = (_chat, reply) =>
  reply.answer(anAnswer('{"model":"gpt-s","choices":[]}'), someFacts());

describe('chat endpoint', () => {
  const secrets = new NumberedSecrets();
  const configuration = new InMemoryConfiguration();
  const tenant = aTenant({ id: 'acme' });
  let server: LoopbackServer;
  let serve: Serve;
  let chats: AdmittedChat[];
  let faults: FaultEntry[];
  let archived: EndedInteraction[];

  const addKey = async (secret: string, given: Partial<ApiKey>): Promise<void> => {
    const dates = { createdAtMs: 0, expiresAtMs: null, revokedAtMs: null };
    const key: ApiKey = {
      id: secret,
      tenantId: 'acme',
      name: '',
      secretHash: secrets.hash(secret),
      hint: '',
      scopes: ['chat'],
      groups: [],
      groupStrategy: null,
      rpm: null,
      ...dates,
    };
    await configuration.insertKey({ ...key, ...given });
  };

  beforeAll(async () => {
    await configuration.insertTenant(tenant);
    await addKey('app', {});
    await addKey('limited', { rpm: 1 });
    await addKey('auditor', { scopes: ['audit:read'] });
    await addKey('admin', { scopes: ['tenant:admin'] });
    await addKey('operator', { tenantId: null, scopes: ['operator'] });
    await addKey('nobody', { tenantId: null, scopes: ['chat'] });
    await addKey('orphan', { tenantId: 'gone' });
    const endpoint = new ChatEndpoint({
      configuration,
      secrets,
      clock: { nowMs: () => 5_000 },
      ids: new SequentialIds(),
      maxBodyBytes: MAX_BODY_BYTES,
      archive: { keep: (ended) => void archived.push(ended) },
      admitKey: new AdmitKey(new InMemoryRequestRates({ nowMs: () => 5_000 })),
      log: { error: (entry) => void faults.push(entry) },
      completeChat: {
        execute: async (chat, reply) => {
          chats.push(chat);
          serve(chat, reply);
        },
      },
    });
    const http = createServer((req, res) => void endpoint.handle(req, res));
    http.on('checkContinue', (req, res) => void endpoint.handle(req, res));
    server = await LoopbackServer.start(() => undefined, http);
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    serve = answering;
    chats = [];
    faults = [];
    archived = [];
  });

  const post = (
    headers: Record<string, string> = { authorization: 'Bearer app' },
    body = BODY,
  ): Promise<Response> =>
    fetch(server.url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

  it('hands an admitted request to the use case', async () => {
    const response = await post({
      authorization: 'Bearer app',
      'x-schneeai-service': 'billing',
      'x-request-id': 'theirs',
    });

    expect(response.status).toBe(200);
    expect(await response.text()).toBe('{"model":"gpt-s","choices":[]}');
    expect(chats).toEqual([
      {
        requestId: response.headers.get('x-request-id'),
        key: expect.objectContaining({ id: 'app' }),
        tenant,
        request: expect.objectContaining({ model: 'gpt-s', stream: false, body: JSON.parse(BODY) }),
        receivedAtMs: 5_000,
        options: {
          timeoutMs: null,
          forbidsReplay: false,
          idempotencyKey: null,
          service: 'billing',
          feature: null,
          parentRequestId: 'theirs',
          clientRetryCount: null,
        },
      },
    ]);
  });

  it('gives every request an id of our own', async () => {
    const response = await post({ authorization: 'Bearer app', 'x-request-id': 'req_theirs' });

    expect(response.headers.get('x-request-id')).toMatch(REQUEST_ID);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each<
    [name: string, request: [headers: Record<string, string>, body: string], status: number, error: object]
  >([
    ['no key', [{}, BODY], 401, { code: 'invalid_api_key' }],
    ['an unknown key', [{ authorization: 'Bearer nope' }, BODY], 401, { code: 'invalid_api_key' }],
    [
      'a key without the scope',
      [{ authorization: 'Bearer auditor' }, BODY],
      403,
      { code: 'forbidden', message: "This key lacks the scope 'chat'." },
    ],
    ['a tenant admin’s key', [{ authorization: 'Bearer admin' }, BODY], 403, { code: 'forbidden' }],
    ['an operator’s key', [{ authorization: 'Bearer operator' }, BODY], 403, { code: 'forbidden' }],
    ['a key of no tenant', [{ authorization: 'Bearer nobody' }, BODY], 403, { code: 'forbidden' }],
    [
      'a key of a tenant that isn’t there',
      [{ authorization: 'Bearer orphan' }, BODY],
      403,
      { code: 'forbidden' },
    ],
    [
      'an odd option',
      [{ authorization: 'Bearer app', 'x-schneeai-timeout-ms': 'soon' }, BODY],
      400,
      { param: 'x-schneeai-timeout-ms' },
    ],
    [
      'another media type',
      [{ authorization: 'Bearer app', 'content-type': 'text/plain' }, BODY],
      415,
      { code: 'unsupported_media_type' },
    ],
    ['no JSON', [{ authorization: 'Bearer app' }, '{'], 400, { code: 'invalid_request_error', param: null }],
    [
      'no message',
      [{ authorization: 'Bearer app' }, '{"model":"gpt-s"}'],
      400,
      { code: 'invalid_request_error', param: 'messages' },
    ],
    ['too much', [{ authorization: 'Bearer app' }, ' '.repeat(1_001)], 413, { code: 'payload_too_large' }],
  ])('refuses %s before the use case', async (_name, [headers, body], status, error) => {
    const response = await post(headers, body);

    expect(response.status).toBe(status);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      error: expect.objectContaining(error),
      request_id: response.headers.get('x-request-id'),
      ...(status === 413 ? { schneeai: { limit_bytes: 1_000 } } : {}),
    });
    expect(chats).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('refuses a key whose minute is full before it has sent its body', async () => {
    const head = 'POST / HTTP/1.1\r\nhost: x\r\nauthorization: Bearer limited\r\n';
    const first = await RawClient.connect(server.port);
    first.send(`${head}content-length: 2\r\n\r\n{}`);
    const admitted = await first.until('"error"');
    const second = await RawClient.connect(server.port);
    second.send(`${head}content-length: 900\r\nexpect: 100-continue\r\n\r\n`);

    const refused = await second.until('"error"');

    expect(admitted).toMatch(/^HTTP\/1\.1 400 /);
    expect(admitted).toMatch(/\r\nx-ratelimit-remaining-requests: 0\r\n/i);
    expect(refused).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n/);
    expect(refused).toMatch(/\r\nretry-after: 60\r\nretry-after-ms: 60000\r\n/i);
    expect(refused).toMatch(/\r\nx-ratelimit-reset-requests: 1m0s\r\n/i);
    expect(chats).toEqual([]);
    first.leave();
    second.leave();
  });

  it('looks at the key before the body', async () => {
    const client = await RawClient.connect(server.port);

    client.send('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 900\r\n\r\n');

    const response = await client.until('"error"');
    expect(response).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
    expect(response).toMatch(/\r\nwww-authenticate: Bearer\r\n/i);
    client.leave();
  });

  describe('to a refused caller who is still sending', () => {
    const half = async (headers: string): Promise<RawClient> => {
      const client = await RawClient.connect(server.port);
      client.send(`POST / HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n${'x'.repeat(10)}`);
      return client;
    };

    afterEach(() => jest.useRealTimers());

    // Closing at once broke the pipe under his writes, and he never read why.
    it.each([
      ['without a key', 'content-length: 4000010', 401],
      ['with too much', 'authorization: Bearer app\r\ncontent-length: 4000010', 413],
    ])('says why, and takes the rest: %s', async (_name, headers, status) => {
      const client = await half(headers);
      await client.until('"error"');

      client.send('x'.repeat(4_000_000));
      client.send(
        `POST / HTTP/1.1\r\nhost: x\r\nauthorization: Bearer app\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
      );

      const responses = await client.until('"choices":[]}');
      expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`, 'HTTP/1.1 200']);
      client.leave();
    });

    it('takes it for five seconds', async () => {
      jest.useFakeTimers({
        doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'Date', 'performance'],
      });
      const client = await half('content-length: 100');
      await client.until('"error"');

      jest.advanceTimersByTime(4_999);
      client.send('x');
      expect(client.socket.destroyed).toBe(false);
      jest.advanceTimersByTime(1);

      expect(await client.toEnd()).toMatch(/^HTTP\/1\.1 401 /);
      expect(jest.getTimerCount()).toBe(0);
    });
  });

  describe('to a caller who waits for 100 Continue', () => {
    const ask = async (headers: string): Promise<RawClient> => {
      const client = await RawClient.connect(server.port);
      client.send(
        `POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-type: application/json\r\n${headers}\r\n\r\n`,
      );
      return client;
    };

    it('says so once key and length are in order', async () => {
      const client = await ask(`authorization: Bearer app\r\ncontent-length: ${BODY.length}`);

      expect(await client.until('\r\n\r\n')).toBe('HTTP/1.1 100 Continue\r\n\r\n');
      client.send(BODY);
      expect(await client.until('"choices":[]}')).toContain('HTTP/1.1 200 OK\r\n');
      client.leave();
    });

    it.each([
      ['without a key', `content-length: ${BODY.length}`, 401],
      ['with too much', `authorization: Bearer app\r\ncontent-length: ${MAX_BODY_BYTES + 1}`, 413],
      [
        'with another encoding',
        'authorization: Bearer app\r\ncontent-length: 9\r\ncontent-encoding: gzip',
        415,
      ],
    ])('says no at once: %s', async (_name, headers, status) => {
      const client = await ask(headers);

      expect(await client.toEnd()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    });
  });

  it('says nothing to a caller who left before his body was complete', async () => {
    const client = await RawClient.connect(server.port);
    client.send(
      'POST / HTTP/1.1\r\nhost: x\r\nauthorization: Bearer app\r\ncontent-length: 90\r\n\r\n{"model":',
    );
    const arrived = new Promise<IncomingMessage>((resolve) => server.server.once('request', resolve));
    const req = await arrived;

    client.leave();
    await new Promise((resolve) => req.once('close', resolve));
    await nextTurn();

    expect(client.received).toBe('');
    expect(chats).toEqual([]);
    expect(faults).toEqual([]);
  });

  describe('for a tenant’s archive', () => {
    const UNTIL = { retentionHours: 24, include: ['request', 'answer'] } as const;
    const streaming: Serve = (_chat, reply) => {
      reply.open();
      reply.write([aFrame('{"model":"gpt-s","choices":[{"delta":{"content":"Hi"}}]}')], someFacts());
      reply.end(someFacts());
    };
    afterEach(() => configuration.updateTenant(tenant));

    it.each<[string, Serve, string, RegExp]>([
      ['a whole answer', answering, BODY, /^{"model":"gpt-s","choices":\[\]}$/],
      ['a stream', streaming, BODY.replace('{', '{"stream":true,'), /"Hi".*\n\ndata: \[DONE\]\n\n$/s],
    ])('keeps %s as its caller got it', async (_name, as, body, text) => {
      serve = as;
      const term = { ...UNTIL, untilMs: 5_001 };
      await configuration.updateTenant({ ...tenant, archive: term });

      const response = await post(undefined, body);
      const got = (await response.text()).replaceAll(/^:.*\n\n/gm, '');

      expect(got).toMatch(text);
      expect(archived).toEqual([
        {
          requestId: response.headers.get('x-request-id'),
          tenant: 'acme',
          term,
          body: JSON.parse(body),
          answer: { status: 200, text: got, characters: got.length },
        },
      ]);
    });

    it.each([
      ['has none', undefined],
      ['has one that ended this moment', { ...UNTIL, untilMs: 5_000 }],
    ])('keeps nothing where he %s', async (_name, archive) => {
      await configuration.updateTenant({ ...tenant, archive });

      expect((await post()).status).toBe(200);

      expect(archived).toEqual([]);
    });

    it('keeps no answer a second time that is given again', async () => {
      serve = (_chat, reply) => reply.repeat({ status: 200, headers: {}, body: '{}' }, 'req_first');
      await configuration.updateTenant({ ...tenant, archive: { ...UNTIL, untilMs: 5_001 } });

      expect((await post()).headers.get('x-request-id')).toBe('req_first');

      expect(archived).toEqual([]);
    });
  });

  describe('when the use case fails', () => {
    const failing = (before: (reply: Reply) => void): Serve => {
      return (_chat, reply) => {
        before(reply);
        throw new Error('secret detail');
      };
    };

    it('answers 500 without the reason, which goes to the log', async () => {
      serve = failing(() => undefined);

      const response = await post();

      expect(response.status).toBe(500);
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'gateway_error' } });
      expect(text).not.toContain('secret detail');
      expect(faults).toEqual([
        {
          message: 'request failed',
          requestId: response.headers.get('x-request-id'),
          method: 'POST',
          path: '/v1/chat/completions',
          error: expect.objectContaining({ message: 'secret detail' }),
        },
      ]);
    });

    it('ends a stream that has begun with an error event', async () => {
      serve = failing((reply) => reply.write([aFrame('{"model":"gpt-s","choices":[]}')], someFacts()));

      const text = await (await post()).text();

      expect(text).toMatch(
        /^data: \{"model":"gpt-s","choices":\[\]\}\n\ndata: \{"error":.*"gateway_error".*\}\n\n$/,
      );
    });

    // A second end was an 'error' event that nobody took, and ended the process.
    it('leaves an answer alone that is complete', async () => {
      serve = failing((reply) => answering({} as AdmittedChat, reply));

      const response = await post();
      await nextTurn();

      expect(await response.text()).toBe('{"model":"gpt-s","choices":[]}');
      expect(faults).toHaveLength(1);
    });
  });
});
