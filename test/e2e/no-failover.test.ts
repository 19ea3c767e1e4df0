import OpenAI from 'openai';
import { TestGateway, type Json } from '../support/gateway';
import { SleeplessTime } from '../support/gateway-time';
import { miniFirst } from '../support/gateway-policy';

const time = new SleeplessTime();
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start({ time });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  await gateway.reset();
  gateway.openai.setBehaviour({ kind: 'status', status: 503 });
});

const ASK = { model: 'gpt-4o-mini', messages: [{ role: 'user' as const, content: 'Hi' }] };

function actionsOf(record: Json): string[] {
  return (record['ledger'] as Json).map((row) => `${row['action']} ${row['provider']} ${row['status']}`);
}

describe('a provider that is down', () => {
  it('without a policy is asked again and then reported, and nobody else is asked', async () => {
    const { status, headers, body } = await gateway.chat(ASK);

    expect(status).toBe(502);
    expect(body).toMatchObject({ error: { code: 'provider_failed', type: 'server_error' } });
    expect(headers.get('x-should-retry')).toBe('false');
    expect(gateway.openai.received).toHaveLength(6);
    expect(gateway.anthropic.received).toHaveLength(0);
    const record = await gateway.record(headers.get('x-request-id'));
    expect(record).toMatchObject({
      state: 'failed',
      error_code: 'provider_failed',
      policy: null,
      served: null,
    });
    expect(actionsOf(record)).toEqual(['initial openai 503', ...Array<string>(5).fill('retry openai 503')]);
  });

  it('is asked again after 1, 2, 4, 8 and 16 seconds, a quarter more or less', async () => {
    const before = time.slept.length;

    await gateway.chat(ASK);

    const slept = time.slept.slice(before);
    expect(slept).toHaveLength(5);
    for (const [index, baseMs] of [1_000, 2_000, 4_000, 8_000, 16_000].entries()) {
      expect(slept[index]).toBeGreaterThanOrEqual(baseMs * 0.75);
      expect(slept[index]).toBeLessThanOrEqual(baseMs * 1.25);
    }
  });

  it('with the failover feature off is not left for another provider', async () => {
    const key = await gateway.addTenant('loyal', { failover: false });
    await gateway.putPolicy(miniFirst(), 'default', 'loyal');

    const { status, headers, body } = await gateway.chat(ASK, {}, key);

    expect(status).toBe(502);
    expect(body['error']).toMatchObject({ code: 'provider_failed' });
    expect(headers.get('x-should-retry')).toBe('false');
    expect(gateway.openai.received).toHaveLength(3);
    expect(gateway.anthropic.received).toHaveLength(0);
    const record = await gateway.record(headers.get('x-request-id'));
    expect(record['refusals']).toMatchObject([
      { offering: 'haiku', reason: 'not_opted_in', missing: 'tenant_feature' },
    ]);
  });

  it('is not left for a cause that failover_on does not list', async () => {
    await gateway.putPolicy(miniFirst({ failover_on: ['timeout', 'rate_limited'] }));

    const { status, headers, body } = await gateway.chat(ASK);

    expect(status).toBe(502);
    expect(body['error']).toMatchObject({ code: 'provider_failed' });
    expect(gateway.openai.received).toHaveLength(3);
    expect(gateway.anthropic.received).toHaveLength(0);
    const record = await gateway.record(headers.get('x-request-id'));
    expect(record['refusals']).toMatchObject([
      { offering: 'haiku', reason: 'not_opted_in', missing: 'failover_on' },
    ]);
  });

  it('is not left when the policy lists no fallback', async () => {
    await gateway.putPolicy(miniFirst({ fallbacks: [] }));

    const { status } = await gateway.chat(ASK);

    expect(status).toBe(502);
    expect(gateway.anthropic.received).toHaveLength(0);
  });

  it('is reported in a stream request by the status, since nothing has been said yet', async () => {
    await gateway.putPolicy(miniFirst({ fallbacks: [] }));

    const { status, headers, body } = await gateway.chat({ ...ASK, stream: true });

    expect(status).toBe(502);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body['error']).toMatchObject({ code: 'provider_failed' });
  });

  it('shows the caller every attempt that was made', async () => {
    await gateway.putPolicy(miniFirst({ fallbacks: [] }));

    const { body } = await gateway.chat(ASK);

    expect(body['schneeai']).toMatchObject({
      attempts: [
        { number: 1, action: 'initial', provider: 'openai', status: 503, fault: 'server_error' },
        { number: 2, action: 'retry', provider: 'openai', status: 503, backoff_ms: 10 },
        { number: 3, action: 'retry', provider: 'openai', status: 503, backoff_ms: 20 },
      ],
    });
  });

  it("is not asked again by the official client, with its default retries, after the gateway's own attempts", async () => {
    await gateway.putPolicy(miniFirst({ fallbacks: [] }));
    const client = new OpenAI({ baseURL: `${gateway.baseUrl}/v1`, apiKey: gateway.key });

    const call = client.chat.completions.create(ASK);

    await expect(call).rejects.toBeInstanceOf(OpenAI.InternalServerError);
    expect(client.maxRetries).toBe(2);
    expect(gateway.openai.received).toHaveLength(3);
    const interactions = gateway.openai.received.map(({ headers }) =>
      String(headers['x-client-request-id']).replace(/-\d+$/, ''),
    );
    expect(new Set(interactions).size).toBe(1);
  });
});
