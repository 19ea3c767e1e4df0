import { TestGateway, TENANT, type Json } from '../support/gateway';
import { HAIKU_PRICE, MINI_PRICE } from '../support/gateway-catalog';
import { haikuFirst, miniFirst, MINI } from '../support/gateway-policy';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  await gateway.reset();
  await gateway.put(`/tenants/${TENANT}/eligibility`, {});
});

const messages = [{ role: 'user' as const, content: 'Hi' }];
const ASK = { model: 'gpt-4o-mini', messages };
const DOWN = { kind: 'status', status: 503 } as const;

/** The fallback at so many times the primary's price, input and output alike. */
async function priceFallbackAt(times: number): Promise<void> {
  const price = { input: MINI_PRICE.input * times, output: MINI_PRICE.output * times };
  await gateway.put('/offerings/haiku', offeringAt(price));
}

function offeringAt(price: object | null): object {
  return { channel: 'anthropic-us', model: 'claude-haiku-4-5', upstream_name: 'claude-haiku-4-5', price };
}

describe('the cost ceiling', () => {
  afterEach(() => gateway.put('/offerings/haiku', offeringAt(HAIKU_PRICE)));

  it('stands against a policy whose fallback is too dear on the day it is written, with both numbers', async () => {
    await priceFallbackAt(6);

    const { status, body } = await gateway.admin(
      'PUT',
      `/tenants/${TENANT}/routing-policies/default`,
      miniFirst({ max_fallback_cost_multiplier: 5 }),
    );

    expect(status).toBe(422);
    expect(body['error']).toMatchObject({ code: 'unprocessable', param: 'fallbacks[0]' });
    expect(String(body['error']!['message'])).toMatch(/6.*5/);
  });

  it('refuses a fallback that became six times as dear, with both prices and the ratio, and asks nobody else', async () => {
    await priceFallbackAt(4);
    await gateway.putPolicy(miniFirst({ max_fallback_cost_multiplier: 5 }));
    await priceFallbackAt(6);
    gateway.openai.setBehaviour(DOWN);

    const { status, headers, body } = await gateway.chat(ASK);

    const refusal = {
      offering: 'haiku',
      provider: 'anthropic',
      model: 'claude-haiku-4-5',
      reason: 'cost_ceiling',
      primary_price: { input: 150_000, output: 600_000 },
      fallback_price: { input: 900_000, output: 3_600_000 },
      ratio: 6,
      ceiling: 5,
    };
    expect(status).toBe(502);
    expect(body['error']).toMatchObject({ code: 'fallback_cost_ceiling' });
    expect(body['schneeai']!['refusals']).toMatchObject([refusal]);
    expect(headers.get('x-should-retry')).toBe('false');
    expect(gateway.anthropic.received).toHaveLength(0);
    // One retry, as the policy allows before a fallback; a refused fallback buys the primary no more.
    expect(gateway.openai.received).toHaveLength(2);
    const record = await gateway.record(headers.get('x-request-id'));
    expect(record).toMatchObject({ state: 'failed', error_code: 'fallback_cost_ceiling', attempts: 2 });
    expect(record['refusals']).toMatchObject([refusal]);
  });

  it('lets a fallback at exactly the multiplier pass', async () => {
    await priceFallbackAt(5);
    await gateway.putPolicy(miniFirst({ max_fallback_cost_multiplier: 5 }));
    gateway.openai.setBehaviour(DOWN);

    const { status, body } = await gateway.chat(ASK);

    expect(status).toBe(200);
    expect(body['schneeai']).toMatchObject({ fallback_cost_multiplier: 5 });
  });

  it('never takes an unknown price for a low one', async () => {
    await gateway.putPolicy(miniFirst());
    await gateway.put('/offerings/haiku', offeringAt(null));
    gateway.openai.setBehaviour(DOWN);

    const { status, body } = await gateway.chat(ASK);

    expect(status).toBe(502);
    expect(body['error']).toMatchObject({ code: 'fallback_cost_ceiling' });
    expect(body['schneeai']!['refusals']).toMatchObject([{ reason: 'cost_unknown', unknown: 'fallback' }]);
    expect(gateway.anthropic.received).toHaveLength(0);
  });
});

describe('data residency', () => {
  const eligibility = { allowed_regions: ['eu', 'eu-*'] };

  afterEach(async () => {
    await gateway.admin('DELETE', '/offerings/mini-eu');
    await gateway.admin('DELETE', '/channels/openai-eu');
  });

  it('keeps a tenant of the EU from every channel of the US', async () => {
    await gateway.putPolicy(miniFirst());
    await gateway.put(`/tenants/${TENANT}/eligibility`, eligibility);

    const { status, headers, body } = await gateway.chat(ASK);

    expect(status).toBe(503);
    expect(body['error']).toMatchObject({ code: 'no_eligible_route' });
    expect(body['schneeai']!['refusals']).toMatchObject([
      { offering: 'mini', reason: 'data_residency', region: 'us', allowed_regions: ['eu', 'eu-*'] },
      { offering: 'haiku', reason: 'data_residency', region: 'us' },
    ]);
    expect(gateway.openai.received).toHaveLength(0);
    expect(gateway.anthropic.received).toHaveLength(0);
    expect(await gateway.record(headers.get('x-request-id'))).toMatchObject({ state: 'refused', ledger: [] });
  });

  it('holds while the only channel in the EU fails', async () => {
    await gateway.put('/channels/openai-eu', {
      provider: 'openai',
      kind: 'openai',
      base_url: `${new URL(gateway.openai.baseUrl).origin}/v1`,
      credential_ref: gateway.secretFile('eu.key', 'wrong-key-of-the-eu-account'),
      region: 'eu-central-1',
    });
    await gateway.put('/offerings/mini-eu', {
      channel: 'openai-eu',
      model: 'gpt-4o-mini',
      upstream_name: 'gpt-4o-mini',
      price: MINI_PRICE,
    });
    await gateway.putPolicy(miniFirst());
    await gateway.put(`/tenants/${TENANT}/eligibility`, eligibility);

    const { status } = await gateway.chat(ASK);

    expect(status).toBe(502);
    expect(gateway.openai.received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer wrong-key-of-the-eu-account',
    ]);
    expect(gateway.anthropic.received).toHaveLength(0);
  });
});

describe('contractual exclusion', () => {
  it('keeps a tenant from an excluded fallback, with its note', async () => {
    await gateway.putPolicy(miniFirst());
    await gateway.put(`/tenants/${TENANT}/eligibility`, {
      exclusions: [{ provider: 'anthropic', note: 'Contract 4711', until: '2099-01-01T00:00:00Z' }],
    });
    gateway.openai.setBehaviour(DOWN);

    const { status, headers, body } = await gateway.chat(ASK);

    expect(status).toBe(502);
    expect(body['error']).toMatchObject({ code: 'provider_failed' });
    expect(gateway.anthropic.received).toHaveLength(0);
    const record = await gateway.record(headers.get('x-request-id'));
    expect(record['refusals']).toMatchObject([
      {
        offering: 'haiku',
        reason: 'tenant_excluded',
        note: 'Contract 4711',
        until: '2099-01-01T00:00:00.000Z',
      },
    ]);
  });

  it('ends on its day', async () => {
    await gateway.putPolicy(miniFirst());
    await gateway.put(`/tenants/${TENANT}/eligibility`, {
      exclusions: [{ provider: 'anthropic', note: 'Until last year', until: '2020-01-01T00:00:00Z' }],
    });
    gateway.openai.setBehaviour(DOWN);

    expect((await gateway.chat(ASK)).status).toBe(200);
  });

  it('refuses a request for an excluded model without a policy', async () => {
    await gateway.put(`/tenants/${TENANT}/eligibility`, {
      exclusions: [{ provider: 'anthropic', note: 'Not for us' }],
    });

    const { status, body } = await gateway.chat({ model: 'claude-haiku-4-5', messages });

    expect(status).toBe(503);
    expect(body['error']).toMatchObject({ code: 'no_eligible_route' });
    expect(gateway.anthropic.received).toHaveLength(0);
  });

  it('admits only what is on an allow list', async () => {
    await gateway.putPolicy(miniFirst());
    await gateway.put(`/tenants/${TENANT}/eligibility`, { allow_list: [{ provider: 'openai' }] });
    gateway.openai.setBehaviour(DOWN);

    const { status, headers } = await gateway.chat(ASK);

    expect(status).toBe(502);
    expect(gateway.anthropic.received).toHaveLength(0);
    const record = await gateway.record(headers.get('x-request-id'));
    expect(record['refusals']).toMatchObject([{ offering: 'haiku', reason: 'tenant_excluded' }]);
  });
});

describe('the groups of a key', () => {
  const CHEAP = 'sk-account-of-the-cheap-group';

  beforeEach(async () => {
    await gateway.put('/channels/openai-cheap', {
      provider: 'openai',
      kind: 'openai',
      base_url: gateway.openai.baseUrl,
      credential_ref: gateway.secretFile('cheap.key', CHEAP),
      region: 'us',
      group: 'cheap',
    });
    await gateway.put('/offerings/mini-cheap', {
      channel: 'openai-cheap',
      model: 'gpt-4o-mini',
      upstream_name: 'gpt-4o-mini',
      price: MINI_PRICE,
    });
  });
  afterEach(async () => {
    await gateway.admin('DELETE', '/offerings/mini-cheap');
    await gateway.admin('DELETE', '/channels/openai-cheap');
  });

  it('say which channels come first, and the next group is a channel fallback', async () => {
    await gateway.putPolicy(miniFirst({ fallbacks: [] }));
    const key = await gateway.issueKey(TENANT, { scopes: ['chat'], groups: ['cheap', 'default'] });

    const { status, headers, body } = await gateway.chat(ASK, {}, key);
    const record = await gateway.record(headers.get('x-request-id'));

    // The cheap account's key is not the one that this provider knows.
    expect(status).toBe(200);
    expect(record['ledger']).toMatchObject([
      { action: 'initial', channel: 'openai-cheap', status: 401 },
      { action: 'channel_fallback', channel: 'openai-us', status: 200 },
    ]);
    expect(body).toMatchObject({ model: 'gpt-4o-mini' });
    expect(body).not.toHaveProperty('schneeai');
  });

  it('keep a key of another group away', async () => {
    await gateway.putPolicy({ ...miniFirst({ fallbacks: [] }), primary: MINI });
    const key = await gateway.issueKey(TENANT, { scopes: ['chat'], groups: ['default'] });

    await gateway.chat(ASK, {}, key);

    expect(gateway.openai.received.map(({ headers }) => headers.authorization)).not.toContain(
      `Bearer ${CHEAP}`,
    );
  });
});

describe('the contract', () => {
  it('refuses what no route can do with a 400 that names the field, and asks nobody', async () => {
    const { status, body } = await gateway.chat({ model: 'claude-haiku-4-5', messages, n: 2 });

    expect(status).toBe(400);
    expect(body['error']).toMatchObject({ param: 'n' });
    expect(gateway.anthropic.received).toHaveLength(0);
  });

  it('leaves out a fallback that can not do what is asked', async () => {
    await gateway.putPolicy(miniFirst());
    gateway.openai.setBehaviour(DOWN);

    const { status, headers } = await gateway.chat({ ...ASK, n: 2 });

    expect(status).toBe(502);
    expect(gateway.anthropic.received).toHaveLength(0);
    const record = await gateway.record(headers.get('x-request-id'));
    expect((record['refusals'] as Json)[0]).toMatchObject({ reason: 'contract_mismatch', param: 'n' });
  });
});

it('never follows the policies of a fallback', async () => {
  await gateway.putPolicy(miniFirst(), 'mini');
  await gateway.putPolicy(haikuFirst(), 'haiku');
  gateway.openai.setBehaviour(DOWN);
  gateway.anthropic.setBehaviour(DOWN);

  const { status, headers } = await gateway.chat(ASK);

  expect(status).toBe(502);
  const record = await gateway.record(headers.get('x-request-id'));
  const providers = (record['ledger'] as Json).map((row) => row['provider']);
  expect(providers.lastIndexOf('openai' as never)).toBeLessThan(providers.indexOf('anthropic' as never));
});
