import { AdminGateway } from '../../../../support/admin-gateway';

const CHANNEL = {
  id: 'oa-eu',
  provider: 'openai',
  kind: 'openai',
  base_url: 'https://eu.api.openai.com/v1',
  credential_ref: 'env:OPENAI_EU_KEY',
  region: 'eu',
  group: 'premium',
  priority: 5,
  enabled: false,
  options: {
    headers: { 'x-team': 'gateway' },
    organization: 'org-1',
    project: null,
    anthropic_version: null,
    anthropic_auth: 'bearer',
    openai_auth: 'api-key',
    api_version: '2024-10-21',
    probe: { kind: 'completion', interval_ms: 30_000 },
  },
};

describe('channels', () => {
  let gateway: AdminGateway;

  beforeEach(async () => {
    gateway = await AdminGateway.start();
  });

  const post = (given: object) => gateway.call('post', '/channels', { body: { ...CHANNEL, ...given } });

  it('are registered, read and written back', async () => {
    const created = await post({});
    const read = await gateway.call('get', '/channels/oa-eu');
    const put = await gateway.call('put', '/channels/oa-eu', { body: read.body as object });

    expect(created.status).toBe(201);
    expect(read.body).toEqual(CHANNEL);
    expect(put.status).toBe(200);
    expect(put.body).toEqual(CHANNEL);
  });

  it('have an id and defaults where nothing is said', async () => {
    const { provider, kind, base_url, credential_ref, region } = CHANNEL;

    const created = await gateway.call('post', '/channels', {
      body: { provider, kind, base_url, credential_ref, region },
    });
    const put = await gateway.call('put', `/channels/${String(created.body.id)}`, {
      body: created.body as object,
    });

    expect(created.body).toMatchObject({
      id: expect.stringMatching(/^ch_\d{26}$/),
      group: 'default',
      priority: 100,
      enabled: true,
      options: { headers: {}, organization: null, anthropic_auth: 'x-api-key', probe: null },
    });
    expect(put.status).toBe(200);
  });

  it.each([
    { probe: { kind: 'models', interval_ms: 5_000 }, status: 201 },
    { probe: { kind: 'models', interval_ms: 86_400_000 }, status: 201 },
    { probe: null, status: 201 },
    { probe: { kind: 'models', interval_ms: 4_999 }, status: 400, param: 'options.probe.interval_ms' },
    { probe: { kind: 'models', interval_ms: 86_400_001 }, status: 400, param: 'options.probe.interval_ms' },
    { probe: { kind: 'models' }, status: 400, param: 'options.probe.interval_ms' },
    { probe: { kind: 'ping', interval_ms: 5_000 }, status: 400, param: 'options.probe.kind' },
    {
      probe: { kind: 'models', interval_ms: 5_000, retries: 3 },
      status: 400,
      param: 'options.probe.retries',
    },
    { probe: 'models', status: 400, param: 'options.probe' },
  ])('with the probe $probe are a $status', async ({ probe, status, param }) => {
    const answer = await post({ options: { probe } });

    expect(answer.status).toBe(status);
    expect(answer.body.error?.param).toBe(param);
  });

  it('are switched off and on', async () => {
    const off = await gateway.call('post', '/channels/ch-mi/disable');
    const disabled = gateway.configuration.catalog().channels.get('ch-mi')?.enabled;
    const on = await gateway.call('post', '/channels/ch-mi/enable');

    expect([off.status, off.body.enabled, disabled]).toEqual([200, false, false]);
    expect([on.status, on.body.enabled]).toEqual([200, true]);
  });

  it('that do not exist can not be switched', async () => {
    const answer = await gateway.call('post', '/channels/nothing/disable');

    expect(answer.status).toBe(404);
  });

  it('are not switched with a field that nobody reads', async () => {
    const answer = await gateway.call('post', '/channels/ch-mi/disable', { body: { reason: 'x' } });

    expect(answer.status).toBe(400);
    expect(answer.body.error.param).toBe('reason');
    expect(gateway.configuration.writes).toBe(0);
  });

  it.each([
    ['an unknown kind', { kind: 'grpc' }, 'kind'],
    ['no URL', { base_url: undefined }, 'base_url'],
    ['a region in capitals', { region: 'EU' }, 'region'],
    ['a negative priority', { priority: -1 }, 'priority'],
    ['a priority that is text', { priority: '1' }, 'priority'],
    ['a flag that is null', { enabled: null }, 'enabled'],
    ['headers that are a list', { options: { headers: ['a'] } }, 'options.headers'],
    ['a header that is a number', { options: { headers: { 'x-a': 1 } } }, 'options.headers'],
    ['an unknown way of authentication', { options: { anthropic_auth: 'basic' } }, 'options.anthropic_auth'],
    ['another for Chat Completions', { options: { openai_auth: 'basic' } }, 'options.openai_auth'],
    ['a version that is a query', { options: { api_version: '1&key=2' } }, 'options.api_version'],
    ['an unknown option', { options: { timeout: 1 } }, 'options.timeout'],
    ['the credential itself', { api_key: 'sk-live-1' }, 'api_key'],
  ])('are refused with %s', async (_case, given, param) => {
    const answer = await post(given);

    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request_error', param });
    expect(gateway.configuration.writes).toBe(0);
  });

  it('say what a region looks like', async () => {
    const answer = await post({ region: 'EU' });

    expect(answer.body.error.message).toBe("region: must be a region such as 'eu' or 'eu-central-1'");
  });

  it.each([
    ['a provider that is not there', { provider: 'nobody' }, 'provider'],
    ['a file URL', { base_url: 'file:///etc/passwd' }, 'base_url'],
    ['a secret in the URL', { base_url: 'https://user:sk-canary-1@api.example.com' }, 'base_url'],
    ['a metadata address', { base_url: 'http://169.254.169.254/latest' }, 'base_url'],
    ['a secret in place of a reference', { credential_ref: 'sk-canary-2' }, 'credential_ref'],
    ['a secret after the scheme', { credential_ref: 'env:sk-canary-3' }, 'credential_ref'],
    ['a path that climbs', { credential_ref: 'file:/run/secrets/../shadow' }, 'credential_ref'],
    ['a variable of the gateway itself', { credential_ref: 'env:SCHNEEAI_SECRET_KEY' }, 'credential_ref'],
    [
      'a header for a credential',
      { options: { headers: { Authorization: 'Bearer sk-canary-4' } } },
      'options.headers.Authorization',
    ],
    ['a header with a line break', { options: { headers: { 'x-a': 'b\r\nx-c: d' } } }, 'options.headers.x-a'],
    ['a header without a name', { options: { headers: { 'x a': 'b' } } }, 'options.headers.x a'],
  ])('are refused with %s, which is not repeated', async (_case, given, param) => {
    const answer = await post(given);

    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({ code: 'unprocessable', param });
    expect(answer.text).not.toContain('sk-canary');
    expect(gateway.configuration.writes).toBe(0);
  });

  it('lead into private networks only where the operator allows it', async () => {
    const trusting = await AdminGateway.start({ privateChannelUrls: 'allowed' });
    const body = { ...CHANNEL, base_url: 'http://127.0.0.1:11434/v1' };

    const refused = await gateway.call('post', '/channels', { body });
    const allowed = await trusting.call('post', '/channels', { body });

    expect([refused.status, allowed.status]).toEqual([422, 201]);
  });

  it('stay while an offering refers to them', async () => {
    const answer = await gateway.call('delete', '/channels/ch-mi');

    expect(answer.status).toBe(409);
    expect(answer.body.error.message).toBe(
      "The channel 'ch-mi' can not be removed while it is used by the offering 'mi'.",
    );
  });
});
