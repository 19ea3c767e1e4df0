import { APIError } from 'openai';
import { TestGateway, type Json } from '../support/gateway';
import { miniFirst } from '../support/gateway-policy';

/** DESIGN §7: the worst case is held before a provider is called, and whatever happens, the balance is credits less costs. */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());

const WALLET = '/tenants/acme/wallet';
const messages = [{ role: 'user' as const, content: 'Hi' }];
const whole = { model: 'gpt-4o-mini', messages, max_tokens: 100 };

let credits = 0;
let bookings = 0;
async function credit(amountMicroUsd: number): Promise<void> {
  if (amountMicroUsd === 0) return;
  credits += amountMicroUsd;
  bookings += 1;
  const body = { amount_micro_usd: amountMicroUsd, reference: `credit ${bookings}`, note: 'test' };
  expect((await gateway.admin('POST', `${WALLET}/credits`, body)).status).toBe(201);
}

const wallet = async (): Promise<Json> => (await gateway.admin('GET', WALLET)).body;

/** Takes or gives what is missing, so that exactly this much is available. */
async function leave(availableMicroUsd: number): Promise<void> {
  await credit(availableMicroUsd - Number((await wallet())['available_micro_usd']));
}

async function expectSettled(): Promise<void> {
  const paid = [...(await gateway.records())].filter((record) => record['reservation_micro_usd'] !== null);
  const costs = paid.reduce((sum, record) => sum + Number(record['cost_micro_usd']), 0);
  expect(await wallet()).toMatchObject({
    balance_micro_usd: credits - costs,
    available_micro_usd: credits - costs,
    reserved_micro_usd: 0,
    spent_micro_usd: costs,
  });
  expect((await gateway.admin('GET', `${WALLET}/verify`)).body).toMatchObject({
    consistent: true,
    errors: [],
  });
}

beforeEach(async () => {
  await gateway.reset();
  await gateway.putPolicy(miniFirst());
  await gateway.put(WALLET, { payment: 'wallet' });
  await leave(1_000_000);
});
afterEach(expectSettled);

describe('a tenant with a wallet', () => {
  it('pays what a served request cost, less than was held for it', async () => {
    expect((await gateway.chat(whole)).status).toBe(200);

    const record = await gateway.newestClosed();
    expect(record).toMatchObject({ state: 'served', billable_id: record['request_id'] });
    expect(Number(record['cost_micro_usd'])).toBeGreaterThan(0);
    expect(Number(record['reservation_micro_usd'])).toBeGreaterThanOrEqual(Number(record['cost_micro_usd']));
  });

  it('pays for a failover what both attempts cost, and held more for the dearer one', async () => {
    gateway.openai.setBehaviour({ kind: 'status', status: 503 });

    expect((await gateway.chat(whole)).status).toBe(200);

    const failedOver = await gateway.newestClosed();
    expect(failedOver).toMatchObject({ state: 'served', served: { provider: 'anthropic' } });
    gateway.openai.reset();
    await gateway.chat(whole);
    const direct = await gateway.newestClosed();
    expect(Number(failedOver['reservation_micro_usd'])).toBeGreaterThan(
      Number(direct['reservation_micro_usd']),
    );
  });

  it('pays for what was said before the caller left', async () => {
    gateway.openai.setBehaviour({ kind: 'answer', text: 'one two three four', holdAt: 3 });
    const { response, leave: hangUp } = gateway.leavable({ ...whole, stream: true });
    const reader = (await response).body!.getReader();
    let read = '';
    while (!read.includes('three')) read += Buffer.from((await reader.read()).value).toString();
    expect(Number((await wallet())['reserved_micro_usd'])).toBeGreaterThan(0);

    hangUp();

    const record = await gateway.newestClosed();
    expect(record).toMatchObject({ state: 'cancelled', usage: { source: 'estimated' } });
    expect(Number(record['cost_micro_usd'])).toBeGreaterThan(0);
  });

  it('gets 402 with both amounts from the official client, and no provider is called', async () => {
    await leave(1);

    const refused = await gateway
      .client()
      .chat.completions.create(whole)
      .catch((error: unknown) => error);

    expect(refused).toBeInstanceOf(APIError);
    expect(refused).toMatchObject({ status: 402, code: 'insufficient_balance' });
    expect(gateway.openai.received).toHaveLength(0);
    const { body } = await gateway.chat(whole);
    expect(body['schneeai']).toMatchObject({ available_micro_usd: 1 });
    expect(Number(body['schneeai']!['required_micro_usd'])).toBeGreaterThan(1);
    expect(await gateway.newestClosed()).toMatchObject({ state: 'refused', attempts: 0, cost_micro_usd: 0 });
  });

  it('can pay only so many requests at once as its wallet holds', async () => {
    await gateway.chat(whole);
    const reservation = Number((await gateway.newestClosed())['reservation_micro_usd']);
    gateway.openai.reset();
    gateway.openai.setBehaviour({ kind: 'answer', holdAt: 'before_headers' });
    await leave(5 * reservation);

    const running = Array.from({ length: 20 }, () => gateway.leavable(whole));
    const refused = await Promise.all(
      running.map(({ response }) => Promise.race([response.then(({ status }) => status), reachedBy(5)])),
    );

    expect(refused.filter((status) => status === 402)).toHaveLength(15);
    expect(gateway.openai.received).toHaveLength(5);
    for (const { leave: hangUp } of running) hangUp();
    while (Number((await wallet())['reserved_micro_usd']) > 0);
  });

  /** Once the provider holds this many calls and every other caller has been answered. */
  async function reachedBy(calls: number): Promise<'held'> {
    await gateway.openai.waitForCalls(calls);
    while (
      [...(await gateway.records())].filter(({ error_code: code }) => String(code) === 'insufficient_balance')
        .length < 15
    );
    return 'held';
  }

  it('is told by explain what would be held', async () => {
    const asked = { request: { ...whole } };
    const { body } = await gateway.admin('POST', '/tenants/acme/routing-policies/default/explain', asked);
    await gateway.chat(whole);

    const record = await gateway.newestClosed();
    expect(body['worst_case']!['reservation_micro_usd']).toBe(record['reservation_micro_usd']);
  });

  it('is limited by nothing once the wallet is switched off', async () => {
    await leave(1);
    await gateway.put(WALLET, { payment: 'none' });

    expect((await gateway.chat(whole)).status).toBe(200);

    const record = await gateway.newestClosed();
    expect(record).toMatchObject({ state: 'served', reservation_micro_usd: null });
  });
});
