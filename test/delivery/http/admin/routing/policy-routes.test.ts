import { AdminGateway } from '../../../../support/admin-gateway';

const ROOT = '/tenants/acme/routing-policies';

/** DESIGN §4 with the names of the sample catalog. */
const DOCUMENT = {
  match: ['auto'],
  primary: { provider: 'openai', model: 'gpt-s' },
  fallbacks: [{ provider: 'anthropic', model: 'claude-s' }],
  strategy: 'priority',
  max_fallback_cost_multiplier: 4,
  failover_on: ['server_error', 'timeout'],
  retry: {
    max_retries: 4,
    max_retries_before_fallback: 1,
    base_delay_ms: 500,
    max_delay_ms: 30_000,
    jitter: 0.5,
  },
  max_hops: 2,
  timeouts: {
    headers_ms: 100_000,
    stream_headers_ms: 50_000,
    stream_gate_ms: 20_000,
    idle_ms: 60_000,
    deadline_ms: 200_000,
    ttft_failover_ms: 8_000,
  },
  commit_on: 'complete',
  unsupported_params: 'reject',
  min_attempt_ms: 900,
  canary: {
    target: { provider: 'mistral', model: 'mistral-s' },
    percent: 5,
    sticky_by: 'user',
    rollback_on: { error_rate: 0.1, min_requests: 50 },
  },
  response_model: 'served',
};

describe('routing policies', () => {
  let gateway: AdminGateway;

  beforeEach(async () => {
    gateway = await AdminGateway.start();
    await gateway.addKey('writer', { tenantId: 'acme', scopes: ['policy:write'] });
    await gateway.addKey('reader', { tenantId: 'acme', scopes: ['policy:read'] });
    gateway.configuration.writes = 0;
  });

  const put = (body: object, headers: Record<string, string> = {}) =>
    gateway.call('put', `${ROOT}/main`, { as: 'writer', body, headers });

  it('are written and read back as they were written', async () => {
    const written = await put(DOCUMENT);
    const read = await gateway.call('get', `${ROOT}/main`, { as: 'reader' });

    expect(written.status).toBe(201);
    expect(written.headers['etag']).toBe('"1"');
    expect(read.headers['etag']).toBe('"1"');
    expect(read.body).toEqual({
      name: 'main',
      version: 1,
      policy: DOCUMENT,
      created_at: '2026-11-30T12:00:00.000Z',
      created_by: 'writer',
      restored_from: null,
    });
  });

  it('have the defaults of the design where nothing is said', async () => {
    const answer = await put({ match: ['auto'], primary: { provider: 'openai', model: 'gpt-s' } });

    expect(answer.body.policy).toMatchObject({
      fallbacks: [],
      strategy: 'priority',
      max_fallback_cost_multiplier: 5,
      failover_on: [
        'server_error',
        'timeout',
        'network',
        'rate_limited',
        'credential',
        'malformed',
        'circuit_open',
      ],
      retry: {
        max_retries: 5,
        max_retries_before_fallback: 1,
        base_delay_ms: 1000,
        max_delay_ms: 60000,
        jitter: 0.25,
      },
      max_hops: 3,
      commit_on: 'first_output',
      canary: null,
      response_model: 'annotated',
    });
  });

  it('are listed in their current versions, and kept in all', async () => {
    await put(DOCUMENT);
    await put({ ...DOCUMENT, max_hops: 3 });

    const list = await gateway.call('get', ROOT, { as: 'reader' });
    const versions = await gateway.call('get', `${ROOT}/main/versions`, { as: 'reader' });

    expect(list.body).toMatchObject({ data: [{ name: 'main', version: 2 }], next_cursor: null });
    expect(versions.body.data.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
  });

  it('warn of what does not work yet', async () => {
    const answer = await put(DOCUMENT);

    expect(answer.body.warnings).toContainEqual({
      field: 'fallbacks',
      message: "never used while the tenant's feature failover is off",
    });
  });

  it.each([
    ['"1"', 200],
    ['"7", "1"', 200],
    ['*', 200],
    ['"2"', 412],
    ['W/"1"', 412],
    ['"one"', 412],
  ])('with If-Match %s on version 1 answer %i', async (ifMatch, status) => {
    await put(DOCUMENT);

    const answer = await put({ ...DOCUMENT, max_hops: 3 }, { 'if-match': ifMatch });

    expect(answer.status).toBe(status);
  });

  it('say which version is current when an update would be lost', async () => {
    await put(DOCUMENT);
    await put(DOCUMENT);

    const answer = await put({ ...DOCUMENT, max_hops: 3 }, { 'if-match': '"1"' });

    expect(answer.body).toMatchObject({
      error: { code: 'precondition_failed' },
      schneeai: { current_version: 2 },
    });
    expect(gateway.configuration.policiesOf('acme').get('main')?.policy.settings.maxHops).toBe(2);
  });

  it('are created only, where If-None-Match says so', async () => {
    const first = await put(DOCUMENT, { 'if-none-match': '*' });
    const second = await put(DOCUMENT, { 'if-none-match': '*' });

    expect([first.status, second.status]).toEqual([201, 412]);
  });

  it('are not created by an update of something that is gone', async () => {
    const answer = await put(DOCUMENT, { 'if-match': '"1"' });

    expect(answer.status).toBe(412);
    expect(answer.body.schneeai).toEqual({ current_version: null });
  });

  it.each([
    [{ 'if-match': '1' }, 'If-Match'],
    [{ 'if-match': 'latest' }, 'If-Match'],
    [{ 'if-none-match': '"1"' }, 'If-None-Match'],
    [{ 'if-match': '*', 'if-none-match': '*' }, 'If-None-Match'],
  ])('are refused with the headers %j', async (headers, param) => {
    const answer = await put(DOCUMENT, headers);

    expect(answer.status).toBe(400);
    expect(answer.body.error.param).toBe(param);
    expect(gateway.configuration.writes).toBe(0);
  });

  it.each([
    ['no match', { primary: DOCUMENT.primary }, 'match'],
    ['a match that is text', { match: 'auto' }, 'match'],
    ['a primary without a model', { match: ['a'], primary: { provider: 'openai' } }, 'primary.model'],
    ['a primary that is text', { match: ['a'], primary: 'openai' }, 'primary'],
    ['a fallback that is a list', { match: ['a'], fallbacks: [[]] }, 'fallbacks'],
    [
      'a fallback with an unknown field',
      { match: ['a'], fallbacks: [{ provider: 'a', model: 'b', x: 1 }] },
      'fallbacks[0].x',
    ],
    ['an unknown strategy', { match: ['a'], strategy: 'random' }, 'strategy'],
    ['an unknown cause', { match: ['a'], failover_on: ['rain'] }, 'failover_on'],
    ['a timeout that is text', { match: ['a'], timeouts: { idle_ms: '1' } }, 'timeouts.idle_ms'],
    ['an unknown timeout', { match: ['a'], timeouts: { total_ms: 1 } }, 'timeouts.total_ms'],
    ['a canary without a share', { match: ['a'], canary: { target: DOCUMENT.primary } }, 'canary.percent'],
    ['an unknown field', { match: ['a'], enabled: true }, 'enabled'],
    ['a misspelt field', { match: ['a'], fallback: [] }, 'fallback'],
  ])('are refused with %s', async (_case, body, param) => {
    const answer = await put(body);

    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request_error', param });
    expect(gateway.configuration.writes).toBe(0);
  });

  it('are refused with every number that is out of range', async () => {
    const answer = await put({ ...DOCUMENT, max_hops: 4, retry: { jitter: 2 } });

    expect(answer.status).toBe(422);
    expect(answer.body.error.code).toBe('unprocessable');
    expect(answer.body.schneeai.problems).toEqual([
      { field: 'retry.jitter', message: 'must be a number from 0 to 1, not 2' },
      { field: 'max_hops', message: 'must be a whole number from 1 to 3, not 4' },
    ]);
    expect(gateway.configuration.writes).toBe(0);
  });

  it('are refused with what the catalog lacks', async () => {
    const answer = await put({ ...DOCUMENT, fallbacks: [{ provider: 'nobody', model: 'claude-s' }] });

    expect(answer.status).toBe(422);
    expect(answer.body.error.param).toBe('fallbacks[0].provider');
  });

  it('are refused with a fallback over the ceiling, with the numbers', async () => {
    const answer = await put({ ...DOCUMENT, max_fallback_cost_multiplier: 2 });

    expect(answer.status).toBe(422);
    expect(answer.body.error.param).toMatch(/^fallbacks\[0\]|^max_fallback_cost_multiplier/);
    expect(answer.body.error.message).toMatch(/3\.75/);
  });

  it.each(['Main', 'a%20b', 'a%2Fb', 'x'.repeat(65)])('are refused under the name %s', async (name) => {
    const answer = await gateway.call('put', `${ROOT}/${name}`, { as: 'writer', body: DOCUMENT });

    expect(answer.status).toBe(400);
    expect(answer.body.error.param).toBe('policy');
  });

  it('are rolled back to an earlier version, as a new one', async () => {
    await put(DOCUMENT);
    await put({ ...DOCUMENT, max_hops: 3 });

    const answer = await gateway.call('post', `${ROOT}/main/rollback`, {
      as: 'writer',
      body: { version: 1 },
    });

    expect(answer.status).toBe(200);
    expect(answer.headers['etag']).toBe('"3"');
    expect(answer.body).toMatchObject({ version: 3, restored_from: 1, policy: { max_hops: 2 } });
  });

  it('are rolled back although the catalog has changed, with a warning', async () => {
    await put(DOCUMENT);
    await put({ match: ['auto'], primary: DOCUMENT.primary });
    await gateway.call('delete', '/offerings/an');

    const answer = await gateway.call('post', `${ROOT}/main/rollback`, {
      as: 'writer',
      body: { version: 1 },
    });

    expect(answer.status).toBe(200);
    expect(answer.body.warnings).toContainEqual({
      field: 'fallbacks[0]',
      message: 'no channel of anthropic offers claude-s',
    });
  });

  it.each([
    ['a version that never was', { version: 9 }, {}, 422, 'version'],
    ['version 0', { version: 0 }, {}, 400, 'version'],
    ['a version that is text', { version: '1' }, {}, 400, 'version'],
    ['an outdated If-Match', { version: 1 }, { 'if-match': '"9"' }, 412, null],
  ])('are not rolled back with %s', async (_case, body, headers, ...expected) => {
    const [status, param] = expected;
    await put(DOCUMENT);

    const answer = await gateway.call('post', `${ROOT}/main/rollback`, { as: 'writer', body, headers });

    expect(answer.status).toBe(status);
    expect(answer.body.error.param).toBe(param);
    expect(gateway.configuration.policiesOf('acme').get('main')?.version).toBe(1);
  });

  it('end, keep their versions, and count on when they come back', async () => {
    await put(DOCUMENT);
    const refused = await gateway.call('delete', `${ROOT}/main`, {
      as: 'writer',
      headers: { 'if-match': '"2"' },
    });

    const removed = await gateway.call('delete', `${ROOT}/main`, {
      as: 'writer',
      headers: { 'if-match': '"1"' },
    });
    const read = await gateway.call('get', `${ROOT}/main`, { as: 'reader' });
    const versions = await gateway.call('get', `${ROOT}/main/versions`, { as: 'reader' });
    const back = await gateway.call('post', `${ROOT}/main/rollback`, { as: 'writer', body: { version: 1 } });

    expect([refused.status, removed.status, read.status]).toEqual([412, 204, 404]);
    expect(versions.body.data).toHaveLength(1);
    expect(back.body).toMatchObject({ version: 2, restored_from: 1 });
  });

  it.each([
    ['get', `${ROOT}/none`],
    ['get', `${ROOT}/none/versions`],
    ['delete', `${ROOT}/none`],
  ] as const)('that do not exist are not found: %s %s', async (method, path) => {
    const answer = await gateway.call(method, path, { as: 'writer' });

    expect(answer.status).toBe(404);
  });

  it.each([
    ['put', `${ROOT}/main`, DOCUMENT],
    ['delete', `${ROOT}/main`, undefined],
    ['post', `${ROOT}/main/rollback`, { version: 1 }],
  ] as const)('are not changed by who may only read: %s', async (method, path, body) => {
    await put(DOCUMENT);

    const answer = await gateway.call(method, path, { as: 'reader', body });

    expect(answer.status).toBe(403);
    expect(gateway.configuration.policiesOf('acme').get('main')?.version).toBe(1);
  });
});
