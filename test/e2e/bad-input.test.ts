import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type Json, TENANT, TestGateway } from '../support/gateway';

const MAX_BODY_BYTES = 20_000;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start({ environment: { SCHNEEAI_MAX_BODY_BYTES: String(MAX_BODY_BYTES) } });
});
afterAll(() => gateway.stop());
let recordsBefore: Json;
beforeEach(async () => {
  await gateway.reset();
  recordsBefore = await gateway.records();
});

const CHAT = '/v1/chat/completions';
const JSON_TYPE = { 'content-type': 'application/json' };
const messages = [{ role: 'user', content: 'Hi' }];
const ASK = { model: 'gpt-4o-mini', messages };

/** No provider was called, and nothing was written down. */
async function expectNothingDone(): Promise<void> {
  expect(gateway.openai.received).toHaveLength(0);
  expect(gateway.anthropic.received).toHaveLength(0);
  expect(await gateway.records()).toEqual(recordsBefore);
}

describe('a chat request', () => {
  it.each([
    ['cut short', '{"model":"gpt-4o-mini","messages":[{"role":"us'],
    ['with a trailing comma', '{"model":"gpt-4o-mini",}'],
    ['that is no object', '"hello"'],
    ['that is a list', '[]'],
    ['that is null', 'null'],
    ['that is empty', ''],
    ['of NaN', '{"model":"gpt-4o-mini","temperature":NaN}'],
  ])('%s is a 400', async (_what, body) => {
    const { status, body: told } = await gateway.send('POST', CHAT, {
      key: gateway.key,
      headers: JSON_TYPE,
      body,
    });

    expect(status).toBe(400);
    expect(told['error']).toMatchObject({ type: 'invalid_request_error', code: 'invalid_request_error' });
    expect(told['request_id']).toMatch(/^req_/);
    await expectNothingDone();
  });

  it.each([
    ['model', { model: 7 }],
    ['model', { model: '' }],
    ['model', { model: undefined }],
    ['messages', { messages: 'Hi' }],
    ['messages', { messages: [] }],
    ['messages', { messages: null }],
    ['messages[0]', { messages: ['Hi'] }],
    ['messages[0].role', { messages: [{ content: 'Hi' }] }],
    ['messages[0].content', { messages: [{ role: 'user', content: 7 }] }],
    ['messages[1].tool_calls', { messages: [...messages, { role: 'assistant', tool_calls: 'x' }] }],
    ['stream', { stream: 'yes' }],
    ['stream_options', { stream_options: [] }],
    ['max_tokens', { max_tokens: 0 }],
    ['max_completion_tokens', { max_completion_tokens: 1.5 }],
    ['temperature', { temperature: 'hot' }],
    ['temperature', { temperature: 3 }],
    ['top_p', { top_p: -0.1 }],
    ['n', { n: 0 }],
    ['stop', { stop: 7 }],
    ['tools', { tools: {} }],
    ['tools', { tools: ['snow'] }],
    ['tool_choice', { tool_choice: 7 }],
    ['response_format', { response_format: 'json' }],
    ['logprobs', { logprobs: 1 }],
    ['user', { user: 7 }],
    ['metadata', { metadata: 'x' }],
  ])('with a wrong %s names it (%j)', async (param, change) => {
    const { status, body } = await gateway.chat({ ...ASK, ...change });

    expect(status).toBe(400);
    expect(body['error']).toMatchObject({ code: 'invalid_request_error', param });
    await expectNothingDone();
  });

  it('for an unknown model is a 404', async () => {
    const { status, body } = await gateway.chat({ ...ASK, model: 'gpt-9' });

    expect(status).toBe(404);
    expect(body['error']).toMatchObject({ code: 'model_not_found', param: 'model' });
    await expectNothingDone();
  });

  it.each([
    ['text/plain', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['application/jsonp', { 'content-type': 'application/jsonp' }],
  ])('as %s is a 415', async (_type, headers) => {
    const { status, body } = await gateway.chat(ASK, headers);

    expect(status).toBe(415);
    expect(body['error']).toMatchObject({ code: 'unsupported_media_type' });
    await expectNothingDone();
  });

  it('that is compressed is a 415', async () => {
    const { status, body } = await gateway.send('POST', CHAT, {
      key: gateway.key,
      headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify(ASK)),
    });

    expect(status).toBe(415);
    expect(body['error']).toMatchObject({ code: 'unsupported_media_type' });
    await expectNothingDone();
  });

  it('just within the limit is read, and one byte more is a 413 that names it', async () => {
    const empty = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: '' }] });
    const bodyOf = (bytes: number) => empty.replace('""', `"${'x'.repeat(bytes - empty.length)}"`);
    const send = (bytes: number) =>
      gateway.send('POST', CHAT, { key: gateway.key, headers: JSON_TYPE, body: bodyOf(bytes) });

    const over = await send(MAX_BODY_BYTES + 1);
    expect(over.status).toBe(413);
    expect(over.body).toMatchObject({
      error: { code: 'payload_too_large' },
      schneeai: { limit_bytes: MAX_BODY_BYTES },
    });
    await expectNothingDone();
    expect((await send(MAX_BODY_BYTES)).status).toBe(200);
  });

  it('that is nested too deeply is a 400', async () => {
    const deep = '['.repeat(5_000) + ']'.repeat(5_000);

    const { status } = await gateway.send('POST', CHAT, {
      key: gateway.key,
      headers: JSON_TYPE,
      body: `{"model":"gpt-4o-mini","messages":[{"role":"user","content":"Hi"}],"x":${deep}}`,
    });

    expect(status).toBe(400);
    await expectNothingDone();
  });

  it.each([
    ['x-schneeai-timeout-ms', 'soon'],
    ['x-schneeai-timeout-ms', '-1'],
    ['x-schneeai-timeout-ms', '0'],
    ['x-schneeai-replay', 'maybe'],
  ])('with %s: %s is a 400 that names the header', async (param, value) => {
    const { status, body } = await gateway.chat(ASK, { [param]: value });

    expect(status).toBe(400);
    expect(body['error']).toMatchObject({ param });
    await expectNothingDone();
  });
});

describe('a key', () => {
  it.each([
    ['absent', {}],
    ['unknown', { authorization: 'Bearer sk-schneeai-unknown' }],
    ['of another scheme', { authorization: 'Basic dXNlcjpwYXNz' }],
    ['empty', { authorization: 'Bearer ' }],
    ['very long', { authorization: `Bearer ${'x'.repeat(5_000)}` }],
    ['at odds with x-api-key', { authorization: 'Bearer one', 'x-api-key': 'two' }],
  ])('that is %s is a 401', async (_what, headers) => {
    for (const path of [CHAT, '/admin/v1/tenants']) {
      const {
        status,
        body,
        headers: told,
      } = await gateway.send('POST', path, {
        headers: { ...JSON_TYPE, ...headers },
        body: JSON.stringify(ASK),
      });

      expect(status).toBe(401);
      expect(body['error']).toMatchObject({ code: 'invalid_api_key' });
      expect(told.get('www-authenticate')).toMatch(/^Bearer/);
    }
    await expectNothingDone();
  });

  it('that has expired is a 401', async () => {
    const expired = await gateway.issueKey(TENANT, {
      scopes: ['chat'],
      expires_at: new Date(Date.now() + 300).toISOString(),
    });
    expect((await gateway.chat({ ...ASK, model: 'none' }, {}, expired)).status).toBe(404);

    let { status } = await gateway.chat({ ...ASK, model: 'none' }, {}, expired);
    while (status === 404) ({ status } = await gateway.chat({ ...ASK, model: 'none' }, {}, expired));

    expect(status).toBe(401);
  });

  it('that was revoked is a 401 from then on', async () => {
    const made = await gateway.admin('POST', `/tenants/${TENANT}/keys`, { name: 'short', scopes: ['chat'] });
    const secret = String(made.body['secret']);
    expect((await gateway.chat(ASK, {}, secret)).status).toBe(200);

    await gateway.admin('DELETE', `/tenants/${TENANT}/keys/${made.body['id']}`);

    expect((await gateway.chat(ASK, {}, secret)).status).toBe(401);
  });

  it('of an app administers nothing, and one of an operator does not chat', async () => {
    const admin = await gateway.admin('GET', '/tenants', undefined, gateway.key);
    const chat = await gateway.chat(ASK, {}, gateway.operatorKey);

    expect([admin.status, chat.status]).toEqual([403, 403]);
  });
});

describe('an admin request', () => {
  const POLICY = `/tenants/${TENANT}/routing-policies/p`;

  it.each([
    ['PUT', '/providers/acme', { name: 'Acme', colour: 'red' }, 'colour'],
    ['POST', '/tenants', { name: 'Acme', plan: 'gold' }, 'plan'],
    ['POST', '/tenants', { name: 'Acme', features: { teleport: true } }, 'features.teleport'],
    ['PUT', POLICY, { match: ['*'], retries: 3 }, 'retries'],
    [
      'PUT',
      POLICY,
      { match: ['*'], fallbacks: [{ provider: 'openai', model: 'm', weight: 1 }] },
      'fallbacks[0].weight',
    ],
  ] as const)(
    '%s %s with an unknown field names it and writes nothing',
    async (method, path, body, param) => {
      const answered = await gateway.admin(method, path, body);

      expect(answered.status).toBe(400);
      expect(answered.body['error']).toMatchObject({ code: 'invalid_request_error', param });
      expect((await gateway.admin('GET', '/providers/acme')).status).toBe(404);
      expect((await gateway.admin('GET', POLICY)).status).toBe(404);
      expect((await gateway.admin('GET', '/tenants')).text).not.toContain('Acme');
    },
  );

  it.each([
    ['base_url', { base_url: 'ftp://openai.example' }],
    ['base_url', { base_url: 'http://169.254.169.254/latest' }],
    ['credential_ref', { credential_ref: 'sk-the-secret-itself' }],
    ['provider', { provider: 'nobody' }],
  ])('for a channel with a wrong %s names it', async (param, change) => {
    const channel = {
      provider: 'openai',
      kind: 'openai',
      base_url: 'https://api.openai.example/v1',
      credential_ref: 'env:KEY',
      region: 'us',
    };

    const { status, body } = await gateway.admin('PUT', '/channels/wrong', { ...channel, ...change });

    expect(status).toBe(422);
    expect(body['error']).toMatchObject({ param });
    expect((await gateway.admin('GET', '/channels/wrong')).status).toBe(404);
  });

  it('for a policy of unknown names is a 422 that names each', async () => {
    const { status, body } = await gateway.admin('PUT', `/tenants/${TENANT}/routing-policies/p`, {
      match: ['*'],
      primary: { provider: 'openai', model: 'gpt-9' },
      fallbacks: [{ provider: 'nobody', model: 'claude-haiku-4-5' }],
    });

    expect(status).toBe(422);
    expect(body['schneeai']!['problems']!.map(({ field }) => field)).toEqual([
      expect.stringMatching(/^primary/),
      expect.stringMatching(/^fallbacks\[0\]/),
    ]);
  });

  // Read as `{}`, such a body lifted every restriction of the tenant.
  it.each([
    ['a byte order mark', Buffer.from([0xef, 0xbb, 0xbf]), 'application/json', 400],
    ['half a character of UTF-16', Buffer.from([0]), 'application/json; charset=utf-16', 415],
    ['nothing', Buffer.from([]), 'application/json', 400],
  ] as const)('whose body is %s replaces no rules', async (_what, body, type, expected) => {
    const path = `/tenants/${TENANT}/eligibility`;
    const rules = { allowed_regions: ['us'], exclusions: [], allow_list: null, pii: null };
    await gateway.put(path, rules);

    const { status } = await gateway.send('PUT', `/admin/v1${path}`, {
      key: gateway.operatorKey,
      headers: { 'content-type': type },
      body,
    });

    expect(status).toBe(expected);
    expect((await gateway.admin('GET', path)).body).toEqual(rules);
    await gateway.put(path, {});
  });

  it('that would undo the work of another is a 412', async () => {
    const path = `/admin/v1/tenants/${TENANT}/routing-policies/p`;
    const policy = JSON.stringify({ match: ['*'] });
    const put = (headers: object) =>
      gateway.send('PUT', path, {
        key: gateway.operatorKey,
        headers: { ...JSON_TYPE, ...headers },
        body: policy,
      });
    const first = await put({ 'if-none-match': '*' });

    const outdated = await put({ 'if-match': '"99"' });
    const current = await put({ 'if-match': first.headers.get('etag') });

    expect([first.status, outdated.status, current.status]).toEqual([201, 412, 200]);
  });
});

describe('a path', () => {
  it.each([
    ['GET', '/v1/nothing'],
    ['GET', '/V1/chat/completions'],
    ['GET', CHAT],
    ['DELETE', CHAT],
    ['GET', '/'],
    ['GET', '/..%2f..%2fetc/passwd'],
    ['GET', '/sandbox/providers'],
  ] as const)('%s %s that leads nowhere is a 404 in the shape of all errors', async (method, path) => {
    const { status, body } = await gateway.send(method, path, { key: gateway.key });

    expect(status).toBe(404);
    expect(body).toMatchObject({ error: { code: 'not_found' } });
  });

  it('that is no path is a 4xx', async () => {
    expect(
      (await gateway.send('GET', '/admin/v1/tenants/%E0%A4%A', { key: gateway.operatorKey })).status,
    ).toBe(400);
  });
});

it('a body that is chunked and empty replaces no rules either', async () => {
  const path = `/admin/v1/tenants/${TENANT}/eligibility`;
  const head = `PUT ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${gateway.operatorKey}`;
  const type = 'content-type: application/json\r\ntransfer-encoding: chunked\r\nconnection: close';

  const answered = await sendBytes(`${head}\r\n${type}\r\n\r\n0\r\n\r\n`);

  expect(answered).toMatch(/^HTTP\/1\.1 400 /);
});

describe('bytes that are no HTTP', () => {
  it.each([
    ['garbage', '\u0000\u0001\u0002\r\n\r\n'],
    [
      'two lengths',
      `POST ${CHAT} HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello`,
    ],
    [
      'a length and chunks',
      `POST ${CHAT} HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a header without end', `GET / HTTP/1.1\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`],
  ])('are refused, and the gateway goes on: %s', async (_what, bytes) => {
    const answered = await sendBytes(bytes);

    expect(answered).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect((await gateway.send('GET', '/healthz')).status).toBe(200);
    await expectNothingDone();
  });
});

/** Writes bytes to a socket and reads until the other side closes it. */
function sendBytes(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let answered = '';
    const { hostname, port } = new URL(gateway.baseUrl);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding('latin1').on('data', (text: string) => (answered += text));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answered));
  });
}
