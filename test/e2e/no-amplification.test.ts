import OpenAI from 'openai';
import type { Behaviour } from '../../src/infra/simulator/behaviour';
import { TestGateway, type Json } from '../support/gateway';
import { SleeplessTime } from '../support/gateway-time';
import { MINI, miniFirst, only, timeouts } from '../support/gateway-policy';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start({ time: new SleeplessTime() });
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.reset());

const ASK = { model: 'gpt-4o-mini', messages: [{ role: 'user' as const, content: 'Hi' }] };

/** Attempts of the gateway, times those of its SDK, times those of the client's SDK: 18 calls where 3 were meant. */
describe('an official client with its own retries on', () => {
  const failures: readonly (readonly [string, Behaviour, number, number])[] = [
    ['a provider that is down', { kind: 'status', status: 503 }, 502, 3],
    ['a provider that is overloaded', { kind: 'status', status: 529, body: '' }, 502, 3],
    ['a set-up fault', { kind: 'status', status: 501 }, 502, 1],
    ['a timeout', { kind: 'status', status: 408, body: '' }, 504, 2],
    ['a rate limit', { kind: 'status', status: 429 }, 429, 3],
    ['an account fault', { kind: 'status', status: 401 }, 502, 1],
    ['HTML under 200', { kind: 'garbage', form: 'html' }, 502, 1],
    ['a conflict that is returned as it is', { kind: 'status', status: 409 }, 409, 1],
    ['a reset', { kind: 'reset' }, 502, 2],
  ];

  it.each(failures)('asks once about %s', async (_what, behaviour, status, calls) => {
    await gateway.putPolicy(only(MINI));
    gateway.openai.setBehaviour(behaviour);
    const before = (await gateway.records()).length;

    const error = await gateway
      .client({ maxRetries: 2 })
      .chat.completions.create(ASK)
      .catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(error).toMatchObject({ status });
    expect((error as InstanceType<typeof OpenAI.APIError>).headers!.get('x-should-retry')).toBe('false');
    expect(gateway.openai.received).toHaveLength(calls);
    expect(await gateway.records()).toHaveLength(before + 1);
  });

  it('asks once about a deadline', async () => {
    await gateway.putPolicy(only(MINI, timeouts({ headers_ms: 50, deadline_ms: 60 })));
    gateway.openai.setBehaviour({ kind: 'hang' });

    const call = gateway.client({ maxRetries: 2 }).chat.completions.create(ASK);

    await expect(call).rejects.toMatchObject({ status: 504, code: 'provider_timeout' });
    expect(gateway.openai.received).toHaveLength(1);
  });
});

it('reaches the provider with no retries of our own SDKs behind the attempts', async () => {
  await gateway.putPolicy(miniFirst({ retry: { max_retries: 0 } }));
  gateway.openai.setBehaviour({ kind: 'status', status: 503 });
  gateway.anthropic.setBehaviour({ kind: 'status', status: 503 });

  const { headers } = await gateway.chat(ASK);
  const record = await gateway.record(headers.get('x-request-id'));

  expect(record).toMatchObject({ attempts: 2, client_retry_count: null });
  expect(record['ledger'] as Json).toHaveLength(2);
  expect([gateway.openai.received.length, gateway.anthropic.received.length]).toEqual([1, 1]);
});

it.each([
  ['0', 0],
  ['2', 2],
])('notes that a client counts its own retries: %s', async (sent, count) => {
  const { headers } = await gateway.chat(ASK, { 'x-stainless-retry-count': sent });

  expect(await gateway.record(headers.get('x-request-id'))).toMatchObject({ client_retry_count: count });
});
