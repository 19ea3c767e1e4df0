import OpenAI from 'openai';
import { TestGateway, TENANT, type Json } from '../support/gateway';
import { MINI_PRICE } from '../support/gateway-catalog';
import { miniFirst } from '../support/gateway-policy';

/** DESIGN §4 (group order), §5 (`group_rpm`), §9 (keys), HEADERS §4 (`x-ratelimit-*`). */

const MINUTE_MS = 60_000;
const messages = [{ role: 'user' as const, content: 'Hi' }];
const ASK = { model: 'gpt-4o-mini', messages };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
  const credential = gateway.secretFile('premium.key', 'sk-proj-simulatedOpenAiCredential0123456789abcd');
  await gateway.put('/channels/openai-premium', {
    provider: 'openai',
    kind: 'openai',
    base_url: gateway.openai.baseUrl,
    credential_ref: credential,
    region: 'us',
    group: 'premium',
  });
  await gateway.put('/offerings/mini-premium', {
    channel: 'openai-premium',
    model: 'gpt-4o-mini',
    upstream_name: 'gpt-4o-mini',
    price: { ...MINI_PRICE, input: MINI_PRICE.input * 2 },
  });
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.reset());
afterEach(() => jest.restoreAllMocks());

const key = (wanted: object = {}, tenant = TENANT): Promise<string> =>
  gateway.issueKey(tenant, { scopes: ['chat'], ...wanted });

/** A tenant of its own, so that no test meets the counters of another. */
let tenants = 0;
async function tenantWith(groups: Json | object[] | null, failover = false): Promise<string> {
  const id = `limited-${(tenants += 1)}`;
  await gateway.admin('POST', '/tenants', { id, name: id, features: { failover }, groups });
  return id;
}

function theMinuteIsOver(): void {
  const now = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => now() + MINUTE_MS);
}

const rateHeaders = (headers: Headers): readonly (string | null)[] =>
  ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}-requests`));

async function channelOf(headers: Headers): Promise<string> {
  const { ledger } = await gateway.record(headers.get('x-request-id'));
  return `${String(ledger![0]!['action'])} on ${String(ledger![0]!['channel'])}`;
}

describe('a key with a limit', () => {
  it('tells on whole answers and on streams what is left, and the official client throws when it is full', async () => {
    const client = gateway.client({ key: await key({ rpm: 2 }) });

    const whole = await client.chat.completions.create(ASK).withResponse();
    const stream = await client.chat.completions.create({ ...ASK, stream: true }).withResponse();
    for await (const _chunk of stream.data);
    const refused = await client.chat.completions.create(ASK).catch((error: unknown) => error);

    expect(rateHeaders(whole.response.headers)).toEqual([
      '2',
      '1',
      expect.stringMatching(/^(1m0s|59(\.\d+)?s)$/),
    ]);
    expect(rateHeaders(stream.response.headers)).toEqual(['2', '0', expect.stringMatching(/^5\d(\.\d+)?s$/)]);
    expect(refused).toBeInstanceOf(OpenAI.RateLimitError);
    const { status, code, type, headers, message } = refused as InstanceType<typeof OpenAI.RateLimitError>;
    expect({ status, code, type }).toEqual({
      status: 429,
      code: 'rate_limit_exceeded',
      type: 'rate_limit_error',
    });
    expect(message).toContain('This key may make 2 requests per minute.');
    expect(rateHeaders(headers)).toEqual(['2', '0', expect.stringMatching(/^5\d(\.\d+)?s$/)]);
    const waitMs = Number(headers.get('retry-after-ms'));
    expect(waitMs).toBeGreaterThan(MINUTE_MS - 10_000);
    expect(Number(headers.get('retry-after'))).toBe(Math.ceil(waitMs / 1_000));
  });

  it('leaves no trace of what it refuses, but a number for the operator', async () => {
    const tenant = await tenantWith(null);
    const secret = await key({ rpm: 1 }, tenant);
    const before = await refusedSoFar('key');
    await gateway.chat(ASK, {}, secret);
    gateway.openai.reset();

    const refused = await Promise.all([1, 2, 3].map(() => gateway.chat(ASK, {}, secret)));

    expect(refused.map(({ status }) => status)).toEqual([429, 429, 429]);
    expect(refused[0]?.body).not.toHaveProperty('schneeai');
    expect(gateway.openai.received).toHaveLength(0);
    expect(await gateway.records(tenant)).toHaveLength(1);
    expect((await refusedSoFar('key')) - before).toBe(3);
  });

  it('says the same on errors, and counts what was wrong', async () => {
    const secret = await key({ rpm: 5 });

    const malformed = await gateway.chat({ model: 'gpt-4o-mini' }, {}, secret);
    const unknown = await gateway.chat({ ...ASK, model: 'gpt-9' }, {}, secret);
    gateway.openai.setBehaviour({ kind: 'status', status: 503 });
    await gateway.putPolicy(miniFirst({ fallbacks: [] }));
    const failed = await gateway.chat(ASK, {}, secret);

    expect([malformed, unknown, failed].map(({ status }) => status)).toEqual([400, 404, 502]);
    expect([malformed, unknown, failed].map(({ headers }) => rateHeaders(headers)[1])).toEqual([
      '4',
      '3',
      '2',
    ]);
  });

  it('is admitted again when its minute is over', async () => {
    const secret = await key({ rpm: 1 });
    await gateway.chat(ASK, {}, secret);

    theMinuteIsOver();

    expect((await gateway.chat(ASK, {}, secret)).status).toBe(200);
    expect((await gateway.chat(ASK, {}, secret)).status).toBe(429);
  });

  it('keeps its limit when it is rotated, and nobody else has one', async () => {
    const issued = await gateway.admin('POST', `/tenants/${TENANT}/keys`, {
      name: 'app',
      scopes: ['chat'],
      rpm: 7,
      group_strategy: 'latency',
    });
    const path = `/tenants/${TENANT}/keys/${String(issued.body['id'])}/rotate`;
    const rotated = (await gateway.admin('POST', path)).body;

    const limited = await gateway.chat(ASK, {}, String(rotated['secret']));
    const unlimited = await gateway.chat(ASK);

    expect(rotated).toMatchObject({ rpm: 7, group_strategy: 'latency' });
    expect(rateHeaders(limited.headers)).toEqual(['7', '6', expect.any(String)]);
    expect(rateHeaders(unlimited.headers)).toEqual([null, null, null]);
  });
});

describe('limited groups of a tenant', () => {
  const GROUPS = [
    { name: 'premium', rpm: 1 },
    { name: 'default', rpm: 2 },
  ];

  it('are filled one after the other, in the order of the key, and then tell the shortest wait', async () => {
    const tenant = await tenantWith(GROUPS);
    const secret = await key({ groups: ['premium', 'default'] }, tenant);
    const before = await refusedSoFar('group');

    const answers = [];
    for (let nth = 0; nth < 4; nth += 1) answers.push(await gateway.chat(ASK, {}, secret));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    const served = await Promise.all(answers.slice(0, 3).map(({ headers }) => channelOf(headers)));
    expect(served).toEqual([
      'initial on openai-premium',
      'channel_fallback on openai-us',
      'channel_fallback on openai-us',
    ]);
    const { body, headers } = answers[3]!;
    expect(body['error']).toMatchObject({ code: 'rate_limit_exceeded', type: 'rate_limit_error' });
    const refusals = body['schneeai']!['refusals']!;
    expect(refusals).toMatchObject([
      { offering: 'mini-premium', reason: 'group_rpm', group: 'premium' },
      { offering: 'mini', reason: 'group_rpm', group: 'default' },
    ]);
    const waits = refusals.map((refusal) => Number(refusal['retry_after_ms']));
    expect(Number(headers.get('retry-after-ms'))).toBe(Math.min(...waits));
    expect(await gateway.record(headers.get('x-request-id'))).toMatchObject({
      state: 'refused',
      refusals: [{ reason: 'group_rpm' }, { reason: 'group_rpm' }],
    });
    expect((await refusedSoFar('group')) - before).toBe(3);
  });

  it('give the last place of a race to one, and the others move on', async () => {
    const tenant = await tenantWith([GROUPS[0]!, { name: 'default', rpm: null }]);
    const secret = await key({ groups: ['premium', 'default'] }, tenant);

    const answers = await Promise.all(Array.from({ length: 6 }, () => gateway.chat(ASK, {}, secret)));

    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const served = await Promise.all(answers.map(({ headers }) => channelOf(headers)));
    expect(served.sort()).toEqual([
      ...Array<string>(5).fill('channel_fallback on openai-us'),
      'initial on openai-premium',
    ]);
  });

  it('are ordered by the strategy of a smart key', async () => {
    const tenant = await tenantWith([GROUPS[0]!, { name: 'default', rpm: 1 }]);
    const secret = await key({ group_strategy: 'cost' }, tenant);

    const answers = [];
    for (let nth = 0; nth < 3; nth += 1) answers.push(await gateway.chat(ASK, {}, secret));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(await channelOf(answers[0]!.headers)).toBe('initial on openai-us');
    expect(await channelOf(answers[1]!.headers)).toBe('channel_fallback on openai-premium');
  });

  it('are not charged by an explanation, which shows them', async () => {
    const tenant = await tenantWith(GROUPS);
    await gateway.put(`/tenants/${tenant}/routing-policies/main`, miniFirst({ fallbacks: [] }));
    const explain = async (): Promise<Json> => {
      const path = `/tenants/${tenant}/routing-policies/main/explain`;
      return (await gateway.admin('POST', path, { request: ASK })).body;
    };
    const [free] = [await explain(), await explain(), await explain()];
    await gateway.chat(ASK, {}, await key({}, tenant));

    const busy = await explain();

    expect(free['first']).toMatchObject({ action: 'initial', channel: 'openai-premium' });
    expect(busy['first']).toMatchObject({ action: 'channel_fallback', channel: 'openai-us' });
    expect(busy['refusals']).toMatchObject([
      { offering: 'mini-premium', reason: 'group_rpm', group: 'premium', retry_after_ms: expect.any(Number) },
    ]);
  });

  it('close every other group to the tenant', async () => {
    const tenant = await tenantWith([{ name: 'premium', rpm: null }]);
    const secret = await key({}, tenant);

    const mini = await gateway.chat(ASK, {}, secret);
    const haiku = await gateway.chat({ ...ASK, model: 'claude-haiku-4-5' }, {}, secret);
    const models = await gateway.send('GET', '/v1/models', { key: secret });

    expect(await channelOf(mini.headers)).toBe('initial on openai-premium');
    expect(haiku.status).toBe(503);
    expect(haiku.body['schneeai']!['refusals']).toMatchObject([
      { reason: 'tenant_excluded', note: 'the tenant may not use the channel group "default"' },
    ]);
    expect(models.body['data']!.map((model) => String(model['id']))).toEqual(['gpt-4o-mini']);
  });
});

async function refusedSoFar(scope: string): Promise<number> {
  const { text } = await gateway.send('GET', '/metrics');
  const line = new RegExp(`^schneeai_admissions_refused_total\\{scope="${scope}"\\} (\\d+)$`, 'm').exec(text);
  return Number(line?.[1] ?? 0);
}
