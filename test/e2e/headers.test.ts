import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { TestGateway } from '../support/gateway';
import { haikuFirst, only, MINI } from '../support/gateway-policy';
import { RawClient } from '../support/raw-client';
import { ANTHROPIC_CREDENTIAL, OPENAI_CREDENTIAL } from '../support/simulated-providers';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.reset());

const messages = [{ role: 'user', content: 'Hi' }];

/** Everything that a caller may try to send along (HEADERS §1), with a value that can be found again. */
const CALLER_HEADERS = {
  'x-client-request-id': 'canary-parent',
  'x-request-id': 'canary-parent-2',
  'x-stainless-retry-count': '2',
  'x-stainless-timeout': '60',
  'x-stainless-lang': 'canary-lang',
  'x-stainless-helper-method': 'canary-helper',
  'user-agent': 'canary-agent/1',
  'x-schneeai-timeout-ms': '60000',
  'x-schneeai-service': 'canary-service',
  'x-schneeai-feature': 'canary-feature',
  'x-schneeai-odd': 'canary-odd',
  'openai-organization': 'canary-org',
  'openai-project': 'canary-project',
  'openai-beta': 'canary-beta',
  'anthropic-version': 'canary-version',
  'anthropic-beta': 'canary-beta',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  tracestate: 'canary=1',
  forwarded: 'for=192.0.2.60',
  'x-forwarded-for': '192.0.2.60',
  'x-forwarded-host': 'canary.example',
  'x-real-ip': '192.0.2.60',
  'x-base-url': 'http://canary.example',
  'x-portkey-custom-host': 'http://canary.example',
  'api-key': 'canary-api-key',
  cookie: 'session=canary',
  referer: 'http://canary.example',
  origin: 'http://canary.example',
  te: 'trailers',
  'proxy-authorization': 'Basic canary',
  'accept-language': 'canary',
};

/** A key may be used for one body only. */
let keys = 0;

function callerHeaders(): object {
  keys += 1;
  return { ...CALLER_HEADERS, 'idempotency-key': `canary-idempotency-${keys}` };
}

/** What either official client says of itself (HEADERS §2, last row). */
const OF_THE_SDK = [
  ...['x-stainless-arch', 'x-stainless-lang', 'x-stainless-os', 'x-stainless-package-version'],
  ...['x-stainless-retry-count', 'x-stainless-runtime', 'x-stainless-runtime-version'],
];
const OF_THE_CONNECTION = ['connection', 'content-length', 'host'];
const ON_EVERY_WIRE = ['accept', 'accept-encoding', 'content-type', 'user-agent'];

describe('an upstream receives', () => {
  describe.each(['whole', 'stream'])('for a %s answer', (kind) => {
    const stream = kind === 'stream';

    it('the headers of HEADERS §2 and no other, over Chat Completions', async () => {
      await gateway.putPolicy(only(MINI));

      const answered = await gateway.chat({ model: 'gpt-4o-mini', messages, stream }, callerHeaders());

      const { headers } = gateway.openai.received[0]!;
      const own = ['authorization', 'x-client-request-id'];
      expect(Object.keys(headers).sort()).toEqual(
        [...OF_THE_CONNECTION, ...ON_EVERY_WIRE, ...OF_THE_SDK, ...own].sort(),
      );
      expect(headers).toMatchObject({
        authorization: `Bearer ${OPENAI_CREDENTIAL}`,
        accept: stream ? 'text/event-stream' : 'application/json',
        'accept-encoding': 'identity',
        'content-type': 'application/json',
        'x-client-request-id': `${answered.headers.get('x-request-id')}-1`,
        'x-stainless-retry-count': '0',
      });
      expect(headers['user-agent']).toMatch(/^schneeai-gateway\/\d/);
      expect(JSON.stringify(headers)).not.toMatch(/canary|192\.0\.2|0af765/);
    });

    it('the headers of HEADERS §2 and no other, over Messages', async () => {
      await gateway.putPolicy(haikuFirst());

      await gateway.chat({ model: 'claude-haiku-4-5', messages, stream }, callerHeaders());

      const { headers } = gateway.anthropic.received[0]!;
      const own = ['anthropic-version', 'x-api-key'];
      expect(Object.keys(headers).sort()).toEqual(
        [...OF_THE_CONNECTION, ...ON_EVERY_WIRE, ...OF_THE_SDK, ...own].sort(),
      );
      expect(headers).toMatchObject({
        'x-api-key': ANTHROPIC_CREDENTIAL,
        'accept-encoding': 'identity',
        'anthropic-version': '2023-06-01',
      });
      expect(JSON.stringify(headers)).not.toMatch(/canary|192\.0\.2|0af765/);
    });
  });
});

/** HEADERS §3 and §4: what identifies our accounts or belongs to the other connection. */
const UPSTREAM_HEADERS = {
  'set-cookie': ['a=canary', 'b=canary'],
  server: 'canary',
  via: '1.1 canary',
  'alt-svc': 'h3=":443"; canary=1',
  'strict-transport-security': 'max-age=99',
  'cf-ray': 'canary-ray',
  'cf-cache-status': 'canary',
  location: 'http://canary.example',
  'www-authenticate': 'Basic realm="canary"',
  'x-schneeai-provider': 'canary',
  'x-schneeai-attempts': '99',
  'x-schneeai-fallback-reason': 'canary',
  'x-schneeai-odd': 'canary',
  'x-request-id': 'canary-request',
  'request-id': 'canary-request',
  'openai-organization': 'canary-org',
  'openai-project': 'canary-project',
  'openai-version': '1999-01-01',
  'openai-model': 'canary-model',
  'openai-processing-ms': '987654',
  'anthropic-organization-id': 'canary-org',
  'anthropic-workspace-id': 'canary-workspace',
  'anthropic-ratelimit-requests-remaining': '1',
  'x-ratelimit-limit-requests': '7',
  'x-ratelimit-remaining-tokens': '7',
  'ratelimitbysize-remaining': '7',
  'x-envoy-upstream-service-time': '7',
  'apim-request-id': 'canary',
  'keep-alive': 'timeout=77',
  'proxy-authenticate': 'canary',
  'access-control-allow-origin': '*',
  'cache-control': 'max-age=99',
  'content-language': 'xx-canary',
  'idempotent-replayed': 'true',
  trailer: 'x-canary',
  'x-should-retry': 'true',
  'x-powered-by': 'canary',
};

const OF_AN_ANSWER = [
  ...['cache-control', 'connection', 'content-type', 'date', 'keep-alive', 'openai-processing-ms'],
  ...['openai-version', 'x-request-id', 'x-schneeai-attempts', 'x-schneeai-model', 'x-schneeai-provider'],
];

describe('a caller receives', () => {
  it.each([
    ['openai', 'whole', ['content-length']],
    ['openai', 'stream', ['transfer-encoding', 'x-accel-buffering']],
    ['anthropic', 'whole', ['content-length']],
    ['anthropic', 'stream', ['transfer-encoding', 'x-accel-buffering']],
  ] as const)('the headers of HEADERS §4 and no other (%s, %s)', async (provider, kind, more) => {
    await gateway.putPolicy(provider === 'openai' ? only(MINI) : haikuFirst());
    gateway[provider].setBehaviour({ kind: 'answer', headers: UPSTREAM_HEADERS });
    const model = provider === 'openai' ? 'gpt-4o-mini' : 'claude-haiku-4-5';

    const { status, headers } = await gateway.chat({ model, messages, stream: kind === 'stream' });

    expect(status).toBe(200);
    expect([...headers.keys()].sort()).toEqual([...OF_AN_ANSWER, ...more].sort());
    expect([...headers.values()].join()).not.toMatch(/canary|987654|1999-01-01|timeout=77|max-age=99/);
    expect(headers.get('x-schneeai-provider')).toBe(provider);
    expect(headers.get('x-schneeai-attempts')).toBe('1');
    expect(headers.get('x-request-id')).toMatch(/^req_/);
    expect(headers.get('cache-control')).toBe(kind === 'stream' ? 'no-cache, no-transform' : 'no-store');
    expect(headers.get('content-type')).toBe(
      kind === 'stream' ? 'text/event-stream; charset=utf-8' : 'application/json; charset=utf-8',
    );
  });

  it.each([400, 401, 404, 429, 500, 503])('none of a %i with all of them', async (status) => {
    await gateway.putPolicy(only(MINI, { retry: { max_retries: 0 } }));
    gateway.openai.setBehaviour({ kind: 'status', status, headers: UPSTREAM_HEADERS });

    const { headers } = await gateway.chat({ model: 'gpt-4o-mini', messages });

    const retryAdvice = ['retry-after', 'retry-after-ms', 'x-should-retry'];
    const ofAnError = OF_AN_ANSWER.filter((name) => !/^x-schneeai/.test(name));
    const allowed = [...ofAnError, ...retryAdvice, 'content-length'];
    expect([...headers.keys()].filter((name) => !allowed.includes(name))).toEqual([]);
    expect([...headers.values()].join()).not.toMatch(/canary|987654|1999-01-01|timeout=77|max-age=99/);
  });

  it('no redirect: nobody follows it, and no credential goes there', async () => {
    const elsewhere = await trap();
    await gateway.putPolicy(only(MINI, { retry: { max_retries: 0 } }));
    const location = `http://127.0.0.1:${elsewhere.port}/v1/chat/completions`;
    gateway.openai.setBehaviour({ kind: 'status', status: 307, headers: { location }, body: '' });

    const { status, headers } = await gateway.chat({ model: 'gpt-4o-mini', messages });

    expect(status).toBe(502);
    expect(headers.get('location')).toBeNull();
    expect(elsewhere.requests).toHaveLength(0);
    elsewhere.server.close();
  });
});

async function trap(): Promise<{ server: Server; port: number; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    response.end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, port: (server.address() as AddressInfo).port, requests };
}

describe('a request is framed', () => {
  const head = (...lines: readonly string[]): string =>
    [
      'POST /v1/chat/completions HTTP/1.1',
      'Host: x',
      'Content-Type: application/json',
      ...lines,
      '',
      '',
    ].join('\r\n');
  const key = (): string => `Authorization: Bearer ${gateway.key}`;
  const connected = (): Promise<RawClient> => RawClient.connect(Number(new URL(gateway.baseUrl).port));
  const smuggled = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

  it.each([
    ['a length together with chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['chunks together with a length', ['Transfer-Encoding: chunked', 'Content-Length: 5'], '0\r\n\r\n'],
    ['two lengths', ['Content-Length: 2', 'Content-Length: 3'], '{}'],
    ['a length that is none', ['Content-Length: 2, 3'], '{}'],
    ['a folded value', ['X-Folded: a', ' b', 'Content-Length: 2'], '{}'],
    ['a bare CR in a value', ['X-Odd: a\rb', 'Content-Length: 2'], '{}'],
    ['a bare LF in a name', ['X-Odd\n: a', 'Content-Length: 2'], '{}'],
    ['another coding than chunks', ['Transfer-Encoding: gzip'], '{}'],
    ['chunks hidden behind another coding', ['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'],
  ])('badly with %s: 400, and the connection is closed', async (_name, lines, body) => {
    const client = await connected();

    client.send(head(key(), ...lines) + body + smuggled);

    const received = await client.toEnd();
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(gateway.openai.received).toHaveLength(0);
  });

  it('after its key was checked, where the caller asked before sending', async () => {
    const client = await connected();

    client.send(head('Authorization: Bearer wrong', 'Content-Length: 999', 'Expect: 100-continue'));

    const received = await client.toEnd();
    expect(received).toMatch(/^HTTP\/1\.1 401 /);
    expect(received).not.toContain('100 Continue');
  });

  it('after its size was checked, where the caller asked before sending', async () => {
    const client = await connected();

    client.send(head(key(), 'Content-Length: 999999999', 'Expect: 100-continue'));

    const received = await client.toEnd();
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('as announced, once the caller may send', async () => {
    await gateway.putPolicy(only(MINI));
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages });
    const client = await connected();

    client.send(head(key(), `Content-Length: ${body.length}`, 'Expect: 100-continue'));
    await client.until('HTTP/1.1 100 Continue\r\n\r\n');
    client.send(body);

    expect(await client.until('"choices"')).toContain('HTTP/1.1 200 OK');
    client.leave();
  });
});

describe('a caller names one key', () => {
  const ask = (headers: object): Promise<number> =>
    gateway
      .send('POST', '/v1/chat/completions', {
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ model: 'gpt-4o-mini', messages }),
      })
      .then(({ status }) => status);

  it('in either header, or the same one in both', async () => {
    await gateway.putPolicy(only(MINI));
    const authorization = `Bearer ${gateway.key}`;

    expect(await ask({ authorization })).toBe(200);
    expect(await ask({ 'x-api-key': gateway.key })).toBe(200);
    expect(await ask({ authorization, 'x-api-key': gateway.key })).toBe(200);
  });

  it('or is refused with two', async () => {
    const other = await gateway.issueKey('acme', { scopes: ['chat'] });

    expect(await ask({ authorization: `Bearer ${gateway.key}`, 'x-api-key': other })).toBe(401);
  });
});
