import { AdminGateway } from '../../../../support/admin-gateway';
import { aChannel, anOffering, aPrice, sampleEntries } from '../../../../support/sample-catalog';

const MAIN = '/tenants/acme/routing-policies/main';
const POLICY = {
  match: ['gpt-s'],
  primary: { provider: 'openai', model: 'gpt-s' },
  fallbacks: [
    { provider: 'anthropic', model: 'claude-s' },
    { provider: 'mistral', model: 'mistral-s' },
  ],
};
const REQUEST = { model: 'gpt-s', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 1_000 };

describe('the explanation of a routing policy', () => {
  let gateway: AdminGateway;

  beforeEach(async () => {
    const entries = sampleEntries();
    // A second channel of anthropic, whose price nobody knows.
    gateway = await AdminGateway.start({
      entries: {
        ...entries,
        channels: [...entries.channels, aChannel({ id: 'ch-an-2', provider: 'anthropic', priority: 9 })],
        offerings: [
          ...entries.offerings,
          anOffering({ id: 'an-2', channel: 'ch-an-2', model: 'claude-s', price: null }),
        ].map((offering) => (offering.id === 'mi' ? { ...offering, price: aPrice(900, 900) } : offering)),
      },
    });
    await gateway.call('patch', '/tenants/acme', { body: { features: { failover: true } } });
    await gateway.configuration.append({
      ...(await stored()),
      tenant: 'acme',
    });
    await gateway.addKey('reader', { tenantId: 'acme', scopes: ['policy:read'] });
    gateway.configuration.writes = 0;
  });

  /** Written before the price of mistral rose above the ceiling. */
  async function stored() {
    const plain = await AdminGateway.start();
    await plain.call('put', MAIN, { body: POLICY });
    const version = plain.configuration.policiesOf('acme').get('main');
    if (version === undefined) throw new Error('the policy was not written');
    return version;
  }

  const explain = (body: object, as = 'reader') =>
    gateway.call('post', `${MAIN}/explain`, { as, body: { request: REQUEST, ...body } });

  it('lists the routes in order, with relation, price and ratio', async () => {
    const { status, body } = await explain({});

    expect(status).toBe(200);
    expect(body.policy).toEqual({ name: 'main', version: 1, draft: false });
    expect(
      body.routes.map((route: Record<string, unknown>) => [
        route['offering'],
        route['relation'],
        route['failover'],
        route['cost_ratio'],
        route['refused'],
      ]),
    ).toEqual([
      ['oa-1', 'primary', false, 1, null],
      ['oa-2', 'channel_fallback', false, 1, null],
      ['an', 'model_fallback', true, 3.75, null],
      ['an-2', 'model_fallback', true, null, 'cost_unknown'],
      ['mi', 'model_fallback', true, 9, 'cost_ceiling'],
    ]);
    expect(body.first).toEqual({
      action: 'initial',
      offering: 'oa-1',
      provider: 'openai',
      channel: 'ch-oa-1',
      model: 'gpt-s',
      delay_ms: 0,
    });
  });

  it('gives every refusal its numbers', async () => {
    const { body } = await explain({});

    expect(body.refusals).toEqual([
      expect.objectContaining({ reason: 'cost_unknown', offering: 'an-2', unknown: 'fallback' }),
      expect.objectContaining({ reason: 'cost_ceiling', offering: 'mi', ratio: 9, ceiling: 5 }),
      expect.objectContaining({ reason: 'not_opted_in', offering: 'az', missing: 'policy' }),
    ]);
  });

  it.each([
    { cause: 'server_error', waits: [{ min: 750, max: 1_250 }], end: [502, 'provider_failed'] },
    { cause: 'network', waits: [{ min: 0, max: 0 }], end: [502, 'provider_failed'] },
    { cause: 'rate_limited', waits: [{ min: 750, max: 1_250 }], end: [429, 'rate_limit_exceeded'] },
    { cause: 'credential', waits: [], end: [502, 'provider_failed'] },
    { cause: 'malformed', waits: [], end: [502, 'provider_malformed'] },
  ])('says what follows $cause', async ({ cause, waits, end: [status, code] }) => {
    const { body } = await explain({});

    const fault = body.faults.find((one: { cause: string }) => one.cause === cause);
    expect(fault).toMatchObject({
      retries: { min: waits.length, max: waits.length },
      waits_ms: waits,
      then: { action: 'channel_fallback', offering: 'oa-2' },
      if_every_route_fails: { error: { status, code } },
    });
  });

  it('shows that a timeout as long as this leaves no time for another route', async () => {
    const { body } = await explain({});

    const fault = body.faults.find((one: { cause: string }) => one.cause === 'timeout');
    expect(fault).toMatchObject({
      retries: { min: 1, max: 1 },
      then: { action: 'stop', error: { status: 504, code: 'provider_timeout' } },
    });
  });

  it('says what the caller is told where nothing may follow', async () => {
    const { body } = await explain({});

    const fault = body.faults.find((one: { cause: string }) => one.cause === 'context_length');
    expect(fault.then).toMatchObject({
      action: 'stop',
      error: { status: 400, code: 'context_length_exceeded' },
    });
  });

  it('says what an open circuit of the first route leads to', async () => {
    const { body } = await explain({});

    expect(body.faults.at(-1)).toMatchObject({
      cause: 'circuit_open',
      retries: { min: 0, max: 0 },
      then: { action: 'channel_fallback', offering: 'oa-2' },
      if_every_route_fails: null,
    });
  });

  it('bounds attempts, cost and time', async () => {
    const { body } = await explain({});

    expect(body.worst_case).toMatchObject({
      attempts: 8,
      cost_unknown: null,
      time_ms: 300_000,
      deadline_ms: 300_000,
    });
    expect(body.worst_case.cost_micro_usd).toBeGreaterThan(0);
    expect(body.worst_case.reservation_micro_usd).toBeGreaterThan(0);
    expect(body.worst_case.reservation_micro_usd).toBeLessThanOrEqual(body.worst_case.cost_micro_usd);
  });

  it('has no worst cost where a route that could be asked has no price', async () => {
    await gateway.configuration.putOffering(anOffering({ id: 'oa-2', channel: 'ch-oa-2', price: null }));

    const { body } = await explain({});

    expect(body.worst_case).toMatchObject({
      cost_micro_usd: null,
      cost_unknown: { reason: 'price_unknown', offerings: ['oa-2'] },
    });
  });

  it.each<[name: string, health: object, first: object]>([
    ['a provider is down', { providers: { openai: 'down' } }, { action: 'model_fallback', offering: 'an' }],
    [
      'a channel is down',
      { channels: { 'ch-oa-1': 'down' } },
      { action: 'channel_fallback', offering: 'oa-2' },
    ],
    [
      'the narrower supposition holds',
      { providers: { openai: 'down' }, offerings: { 'oa-1': 'healthy' } },
      { action: 'initial', offering: 'oa-1' },
    ],
    [
      'everything waits',
      { providers: { openai: 'throttled', anthropic: 'throttled' }, throttled_for_ms: 4_000 },
      { action: 'initial', offering: 'oa-1', delay_ms: 4_000 },
    ],
  ])('begins elsewhere if %s', async (_name, health, first) => {
    const { body } = await explain({ health });

    expect(body.first).toMatchObject(first);
  });

  it('explains a draft before it is written, and what a write of it would meet', async () => {
    const policy = { ...POLICY, fallbacks: [{ provider: 'mistral', model: 'mistral-s' }], max_hops: 2 };

    const { body } = await explain({ policy });

    expect(body.policy).toEqual({ name: 'main', version: 2, draft: true });
    expect(body.routes.map(({ offering }: { offering: string }) => offering)).toEqual(['oa-1', 'oa-2', 'mi']);
    expect(body.problems).toEqual([expect.objectContaining({ field: 'fallbacks[0]' })]);
    expect(gateway.configuration.policiesOf('acme').get('main')?.version).toBe(1);
  });

  it('explains a draft of a policy that there is not yet', async () => {
    const answer = await gateway.call('post', '/tenants/acme/routing-policies/new/explain', {
      as: 'reader',
      body: { request: { ...REQUEST, model: 'auto' }, policy: { ...POLICY, match: ['auto'] } },
    });

    expect(answer.body.policy).toEqual({ name: 'new', version: 1, draft: true });
  });

  it('shows both sides of a canary', async () => {
    const policy = { ...POLICY, canary: { target: { provider: 'azure', model: 'gpt-s' }, percent: 1 } };

    const [ordinary, drawn] = [await explain({ policy }), await explain({ policy, canary: true })];

    expect([ordinary.body.canary, ordinary.body.first.offering]).toEqual([false, 'oa-1']);
    expect([drawn.body.canary, drawn.body.first.offering]).toEqual([true, 'az']);
  });

  it('refuses groups that the key may not use', async () => {
    const { body } = await explain({ key_groups: ['premium'] });

    expect(body.first.offering).toBe('oa-2');
  });

  it('names another policy where that one answers', async () => {
    const { body } = await explain({ request: { ...REQUEST, model: 'claude-s' } });

    expect(body.policy).toBeNull();
    expect(body.first.offering).toBe('an');
  });

  it('calls nobody and writes nothing', async () => {
    await explain({ health: { providers: { openai: 'down' } }, policy: POLICY });

    expect(gateway.providers.calls).toEqual([]);
    expect(gateway.configuration.writes).toBe(0);
    expect([...gateway.health.all()]).toEqual([]);
  });

  it.each<[name: string, body: object, status: number, param: string]>([
    ['no request', { request: undefined }, 400, 'request'],
    ['a request that is no object', { request: [] }, 400, 'request'],
    ['a request without a model', { request: { messages: REQUEST.messages } }, 400, 'request.model'],
    ['a request with a wrong field', { request: { ...REQUEST, n: 0 } }, 400, 'request.n'],
    ['a model that nobody answers for', { request: { ...REQUEST, model: 'gpt-9' } }, 422, 'request.model'],
    ['an unknown field', { requests: {} }, 400, 'requests'],
    ['an unknown word of health', { health: { providers: { openai: 'ill' } } }, 400, 'health.providers'],
    ['an unknown provider', { health: { providers: { opnai: 'down' } } }, 422, 'health.providers.opnai'],
    ['an unknown channel', { health: { channels: { x: 'down' } } }, 422, 'health.channels.x'],
    ['an unknown offering', { health: { offerings: { x: 'open' } } }, 422, 'health.offerings.x'],
    ['a throttle of no time', { health: { throttled_for_ms: 0 } }, 400, 'health.throttled_for_ms'],
    ['a draft that is none', { policy: { ...POLICY, max_hops: 9 } }, 422, 'policy.max_hops'],
    ['a draft with an unknown field', { policy: { ...POLICY, hops: 1 } }, 400, 'policy.hops'],
  ])('refuses %s', async (_name, body, status, param) => {
    const answer = await explain(body);

    expect([answer.status, answer.body.error.param]).toEqual([status, param]);
  });

  it('takes whatever the chat endpoint takes in a request', async () => {
    const request = { ...REQUEST, seed: 1, constructor: { from: 'a caller' }, tool_choice: 'none' };

    expect((await explain({ request })).status).toBe(200);
  });

  it('is a 404 where there is no such policy', async () => {
    const answer = await gateway.call('post', '/tenants/acme/routing-policies/none/explain', {
      body: { request: REQUEST },
    });

    expect(answer.status).toBe(404);
  });

  it('needs policy:read', async () => {
    expect((await explain({}, 'acme-app')).status).toBe(403);
  });
});
