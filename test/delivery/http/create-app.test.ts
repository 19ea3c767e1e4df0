import { AdmitKey } from '../../../src/usecase/chat/admit-key';
import { createServer } from 'node:http';
import request from 'supertest';
import { Registry } from 'prom-client';
import { ChatEndpoint } from '../../../src/delivery/http/chat/chat-endpoint';
import { createApp, createListener } from '../../../src/delivery/http/create-app';
import { ListModels } from '../../../src/usecase/catalog/list-models';
import type { SandboxControl } from '../../../src/usecase/port/sandbox-control';
import { AdminGateway } from '../../support/admin-gateway';
import { InMemoryRequestRates } from '../../support/in-memory-request-rates';
import { LoopbackServer } from '../../support/loopback-server';
import { RawClient } from '../../support/raw-client';
import { anAnswer, someFacts } from '../../support/sample-facts';

const BODY = '{"model":"gpt-s","messages":[{"role":"user","content":"Hello"}]}';

const NO_SANDBOX: SandboxControl = {
  providers: () => [],
  faults: () => [],
  switchFault: () => 'unknown_provider',
};

describe('the gateway’s HTTP interface', () => {
  let server: LoopbackServer;

  const start = async (sandbox: SandboxControl | null): Promise<LoopbackServer> => {
    const { configuration, secrets, clock, ids, useCases, author } = await AdminGateway.start();
    const authentication = { configuration, secrets, clock };
    const log = { error: () => undefined };
    const app = createApp({
      ids,
      log,
      admin: { ...authentication, useCases, author },
      models: { ...authentication, listModels: new ListModels({ configuration, clock }) },
      operations: {
        sharing: { state: () => 'off' },
        readiness: { notReadyBecause: async () => null },
        metrics: new Registry(),
        sandbox: false,
      },
      status: { readStatus: { execute: async () => ({ atMs: 0, providers: [] }) }, sandbox: false },
      sandbox: sandbox === null ? null : { ...authentication, sandbox },
    });
    const chat = new ChatEndpoint({
      ...authentication,
      ids,
      log,
      maxBodyBytes: 1_000,
      archive: { keep: () => undefined },
      admitKey: new AdmitKey(new InMemoryRequestRates(clock)),
      completeChat: {
        execute: async (_chat, reply) => reply.answer(anAnswer('{"model":"gpt-s"}'), someFacts()),
      },
    });
    const listener = createListener(chat, app);
    return LoopbackServer.start(listener, createServer(listener).on('checkContinue', listener));
  };

  beforeAll(async () => {
    server = await start(null);
  });
  afterAll(() => server.stop());

  const chat = (path: string) =>
    request(server.url)
      .post(path)
      .set({ authorization: 'Bearer acme-app', 'content-type': 'application/json' })
      .send(BODY);

  it.each([
    ['/v1/chat/completions'],
    ['/v1/chat/completions?api-version=2024-10-21'],
    ['/v1/chat/completions?'],
    ['/v1/chat/completions/'],
    ['/v1/chat/completions/?a=b'],
  ])('takes chat completions at %s', async (path) => {
    expect((await chat(path)).body).toEqual({ model: 'gpt-s' });
  });

  it('takes them by absolute URL, as proxies send it', async () => {
    const client = await RawClient.connect(server.port);

    client.send(
      `POST http://gateway.example/v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer acme-app\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
    );

    expect(await client.until('"gpt-s"')).toMatch(/^HTTP\/1\.1 200 OK/);
    client.leave();
  });

  it.each([
    ['/V1/chat/completions'],
    ['/v1/chat/completions/x'],
    ['/v1/chat/completionsx'],
    ['//v1/chat/completions'],
    ['/v1/chat'],
    ['/chat/completions'],
    ['/x?/v1/chat/completions'],
  ])('has nothing at POST %s', async (path) => {
    const response = await chat(path);

    expect(response.status).toBe(404);
    expect(response.body).toMatchObject({
      error: { code: 'not_found' },
      request_id: response.get('x-request-id'),
    });
  });

  it.each(['get', 'put', 'delete', 'patch', 'options'] as const)(
    'says POST to %s on chat completions',
    async (method) => {
      const response = await request(server.url)
        [method]('/v1/chat/completions')
        .set('authorization', 'Bearer acme-app');

      expect(response.status).toBe(404);
      expect(response.get('allow')).toBe('POST');
      expect(response.body).toMatchObject({
        error: { message: `There is no ${method.toUpperCase()} /v1/chat/completions; use POST.` },
      });
    },
  );

  it.each([
    ['/healthz', 200],
    ['/v1/models', 401],
    ['/admin/v1/tenants', 401],
    ['/nowhere', 404],
    ['/%', 404],
    ['/v1/models/%E0%A4%A', 401],
  ])('GET %s: %i, named, not to be stored, and open to no other origin', async (path, status) => {
    const { headers, ...response } = await request(server.url)
      .get(path)
      .set('origin', 'https://elsewhere.example');

    expect(response.status).toBe(status);
    expect(headers).toMatchObject({
      'x-request-id': expect.stringMatching(/^req_\d{26}$/),
      'cache-control': 'no-store',
    });
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(
      Object.keys(headers).filter((name) => /^access-control|^x-powered-by|^etag|^set-cookie/.test(name)),
    ).toEqual([]);
  });

  it('names each request by itself, whatever the caller calls it', async () => {
    const response = await request(server.url).get('/healthz').set('x-request-id', 'theirs');

    expect(response.get('x-request-id')).not.toBe('theirs');
  });

  it('lets the document of the API be kept, but checked', async () => {
    const response = await request(server.url).get('/openapi.json');

    expect(response.status).toBe(200);
    expect(response.get('cache-control')).toBe('no-cache');
  });

  it('tells whoever asks before sending an admin body to send it', async () => {
    const client = await RawClient.connect(server.port);
    client.send(
      'POST /admin/v1/tenants HTTP/1.1\r\nhost: x\r\nauthorization: Bearer op\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 14\r\n\r\n',
    );
    await client.until('HTTP/1.1 100 Continue\r\n\r\n');

    client.send('{"name":"New"}');

    expect(await client.until('"New"')).toContain('HTTP/1.1 201 Created');
    client.leave();
  });

  it('has no switch of faults outside the sandbox', async () => {
    const call = () => request(server.url).get('/sandbox/providers').set('authorization', 'Bearer op');

    expect((await call()).status).toBe(404);
  });

  it('has one in the sandbox', async () => {
    const sandboxed = await start(NO_SANDBOX);

    const response = await request(sandboxed.url).get('/sandbox/providers').set('authorization', 'Bearer op');

    expect(response.status).toBe(200);
    await sandboxed.stop();
  });
});
