import { TENANT, TestGateway } from '../support/gateway';
import { haikuFirst, MINI, miniFirst, only } from '../support/gateway-policy';
import { ANTHROPIC_CREDENTIAL, OPENAI_CREDENTIAL } from '../support/simulated-providers';

/** CASES B47: values that must be found nowhere but where they belong, whatever is provoked. */
const PROMPT = 'canary-prompt-7c1f: my knee hurts';
const TOOL_ARGUMENT = 'canary-argument-93ad';
const WRONG_KEY = 'sk-canary-wrong-key-of-a-caller-11d2';
const UNSENDABLE = 'sk-canary-unsendable-5be0\u0001tail';

let gateway: TestGateway;
/** Everything that anyone was told, except where a key is shown once. */
const told: string[] = [];
const issued: string[] = [];

beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.reset());

const messages = [
  { role: 'user', content: PROMPT },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'call_1', type: 'function', function: { name: 'look', arguments: `{"for":"${TOOL_ARGUMENT}"}` } },
    ],
  },
  { role: 'tool', tool_call_id: 'call_1', content: 'nothing' },
];
const tools = [
  { type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } },
];

async function ask(model: string, more: object = {}): Promise<number> {
  const { status, text, headers } = await gateway.chat({ model, messages, tools, ...more });
  // An answer belongs to the caller, prompt and all; an error doesn't quote it.
  if (status !== 200) told.push(text);
  told.push(JSON.stringify([...headers]));
  return status;
}

const ECHO = `Bearer ${OPENAI_CREDENTIAL}`;

describe('secrets stay where they belong', () => {
  it.each<[string, number, object]>([
    ['a 401 that repeats the key', 401, { message: `Incorrect API key provided: ${OPENAI_CREDENTIAL}.` }],
    [
      'a 401 that repeats the ends of the key',
      401,
      {
        message: `Incorrect API key provided: ${OPENAI_CREDENTIAL.slice(0, 8)}***${OPENAI_CREDENTIAL.slice(-4)}.`,
      },
    ],
    [
      'a 400 that repeats the key',
      400,
      { message: `Bad request with ${OPENAI_CREDENTIAL}`, code: OPENAI_CREDENTIAL },
    ],
    ['a 400 that echoes the headers', 400, { message: `You sent {"authorization":"${ECHO}"}`, param: ECHO }],
    ['a 422 whose type is the key', 422, { message: 'No.', type: OPENAI_CREDENTIAL }],
    ['a 503 that repeats the key', 503, { message: `Down for ${OPENAI_CREDENTIAL}`, type: ECHO }],
  ])('at the openai wire with %s', async (_case, status, error) => {
    await gateway.putPolicy(only(MINI, { retry: { max_retries: 0 } }));
    gateway.openai.setBehaviour({
      kind: 'status',
      status,
      body: { error: { type: 'invalid_request_error', param: null, code: null, ...error } },
      headers: { 'x-request-id': `up-${OPENAI_CREDENTIAL}` },
    });

    expect(await ask('gpt-4o-mini')).toBeGreaterThanOrEqual(400);
    expect(await ask('gpt-4o-mini', { stream: true })).toBeGreaterThanOrEqual(400);
  });

  it('at the anthropic wire with an echo of the headers', async () => {
    const error = { type: 'invalid_request_error', message: `x-api-key: ${ANTHROPIC_CREDENTIAL}` };
    gateway.anthropic.setBehaviour({ kind: 'status', status: 400, body: { type: 'error', error } });

    expect(await ask('claude-haiku-4-5')).toBe(400);
  });

  it('with a redirect that has the key in its URL', async () => {
    const location = `http://127.0.0.1:9/?key=${OPENAI_CREDENTIAL}`;
    await gateway.putPolicy(only(MINI, { retry: { max_retries: 0 } }));
    gateway.openai.setBehaviour({ kind: 'status', status: 302, body: '', headers: { location } });

    expect(await ask('gpt-4o-mini')).toBe(502);
  });

  it('in the middle of a stream', async () => {
    gateway.openai.setBehaviour({
      kind: 'answer',
      text: 'fine so far',
      interruption: { after: 1, by: 'error', error: { error: { message: `${ECHO} failed`, code: ECHO } } },
    });

    const { text } = await gateway.chat({ model: 'gpt-4o-mini', messages, tools, stream: true });

    expect(text).toContain('"error"');
    told.push(text);
  });

  it('with a credential that no header can hold', async () => {
    await gateway.put('/channels/openai-broken', {
      provider: 'openai',
      kind: 'openai',
      base_url: gateway.openai.baseUrl,
      credential_ref: gateway.secretFile('broken.key', UNSENDABLE),
      region: 'us',
      group: 'broken',
    });
    await gateway.put('/offerings/broken', {
      channel: 'openai-broken',
      model: 'gpt-4o-mini',
      upstream_name: 'gpt-4o-mini',
    });
    const key = await gateway.issueKey(TENANT, { scopes: ['chat'], groups: ['broken'] });
    issued.push(key);

    const { status, text } = await gateway.chat({ model: 'gpt-4o-mini', messages, tools }, {}, key);

    expect(status).toBeGreaterThanOrEqual(500);
    told.push(text);
    await gateway.admin('DELETE', '/offerings/broken');
  });

  it('with a wrong key, malformed JSON and a key in the path', async () => {
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages });
    const wrong = await gateway.send('POST', '/v1/chat/completions', { key: WRONG_KEY, body });
    const cut = await gateway.send('POST', '/v1/chat/completions', {
      key: gateway.key,
      body: body.slice(0, -9),
    });
    const admin = await gateway.admin('PUT', '/channels/x', { credential_ref: OPENAI_CREDENTIAL });
    const query = await gateway.send('GET', `/admin/v1/audit/records?key=${gateway.operatorKey}&api_key=x`, {
      key: gateway.operatorKey,
    });

    expect([wrong.status, cut.status, admin.status, query.status]).toEqual([401, 400, 400, 400]);
    told.push(wrong.text, cut.text, admin.text, query.text);
  });

  it('with failovers and refusals', async () => {
    await gateway.putPolicy(miniFirst());
    await gateway.putPolicy(haikuFirst(), 'haiku');
    gateway.openai.setBehaviour({ kind: 'status', status: 503 });

    expect(await ask('gpt-4o-mini')).toBe(200);
    expect(await ask('no-such-model')).toBe(404);
  });

  it('when keys are made, rotated and revoked', async () => {
    const made = await gateway.admin('POST', `/tenants/${TENANT}/keys`, { name: 'canary', scopes: ['chat'] });
    const rotated = await gateway.admin('POST', `/tenants/${TENANT}/keys/${made.body['id']}/rotate`);
    const revoked = await gateway.admin('DELETE', `/tenants/${TENANT}/keys/${rotated.body['id']}`);
    issued.push(String(made.body['secret']), String(rotated.body['secret']));

    expect([made.status, rotated.status, revoked.status]).toEqual([201, 201, 200]);
    expect(issued.every((secret) => secret.length > 30)).toBe(true);
    told.push(revoked.text);
  });

  it('and are found in no answer, log line, record, list, metric or file', async () => {
    const paths = [
      '/audit/records?limit=200',
      '/health',
      '/channels',
      `/tenants/${TENANT}/keys`,
      `/tenants/${TENANT}/routing-policies`,
    ];
    for (const path of paths) told.push((await gateway.admin('GET', path)).text);
    for (const record of await gateway.records()) {
      told.push(JSON.stringify(await gateway.record(String(record['request_id']))));
    }
    for (const path of ['/metrics', '/readyz', '/openapi.json'])
      told.push((await gateway.send('GET', path)).text);

    const places = { told: told.join('\n'), log: gateway.logLines.join('\n'), stored: gateway.storedText() };
    const secrets = [
      ...[gateway.key, gateway.operatorKey, ...issued],
      ...[OPENAI_CREDENTIAL, ANTHROPIC_CREDENTIAL, UNSENDABLE, UNSENDABLE.split('\u0001')[0]!],
      ...[PROMPT, 'canary-prompt', TOOL_ARGUMENT, WRONG_KEY],
    ];
    const found = Object.entries(places).flatMap(([place, text]) =>
      secrets.filter((secret) => text.includes(secret)).map((secret) => `${secret} in what is ${place}`),
    );

    expect(found).toEqual([]);
    // The places were really looked at.
    expect(places.log).toContain('attempt failed');
    expect(places.told).toContain('"ledger"');
    expect(places.stored).toContain('openai-us');
  });
});
