import type OpenAI from 'openai';
import { KEY_RETENTION_MS } from '../../src/domain/interaction/idempotency';
import { TENANT, TestGateway, type Answered, type Json } from '../support/gateway';
import { readStream } from '../support/gateway-events';
import { miniFirst, only, MINI } from '../support/gateway-policy';
import { SleeplessTime } from '../support/gateway-time';

/** DESIGN §7: (tenant, key) is one interaction, whichever provider serves it. */

const time = new SleeplessTime();
let gateway: TestGateway;
let keys = 0;
/** A key that no other test has used. */
let key: string;

beforeAll(async () => {
  gateway = await TestGateway.start({ time });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  await gateway.reset();
  keys += 1;
  key = `order-${keys}`;
});

const QUESTION = { model: 'gpt-4o-mini', messages: [{ role: 'user' as const, content: 'How deep is it?' }] };
const STREAMED = { ...QUESTION, stream: true as const, stream_options: { include_usage: true } };

const ask = (body: object = QUESTION, headers: object = { 'idempotency-key': key }): Promise<Answered> =>
  gateway.chat(body, headers);
const requestIdOf = ({ headers }: Answered): string | null => headers.get('x-request-id');
const codeOf = ({ body }: Answered): unknown => body['error']?.['code'];
const calls = (): number => gateway.openai.received.length + gateway.anthropic.received.length;

/** What the answer is described by: all headers but those that describe the one exchange. */
function described({ headers }: Answered): Record<string, string> {
  const own = [
    'date',
    'content-length',
    'transfer-encoding',
    'connection',
    'keep-alive',
    'openai-processing-ms',
  ];
  return Object.fromEntries([...headers].filter(([name]) => !own.includes(name)));
}

function expectRepeated(again: Answered, first: Answered): void {
  expect(again.text).toBe(first.text);
  expect(again.status).toBe(first.status);
  expect(described(again)).toEqual({ ...described(first), 'idempotent-replayed': 'true' });
}

describe('a request that was served', () => {
  it('is answered again to the official client, and nobody is called', async () => {
    const create = (client: OpenAI) =>
      client.chat.completions.create(QUESTION, { headers: { 'Idempotency-Key': key } }).withResponse();
    const first = await create(gateway.client());

    const again = await create(gateway.client());

    expect(again.data).toEqual(first.data);
    expect(again.request_id).toBe(first.request_id);
    expect(again.response.headers.get('idempotent-replayed')).toBe('true');
    expect(first.response.headers.has('idempotent-replayed')).toBe(false);
    expect(calls()).toBe(1);
  });

  it('is streamed again to the official client, event by event', async () => {
    const read = async () => {
      const headers = { 'Idempotency-Key': key };
      const stream = await gateway.client().chat.completions.create(STREAMED, { headers });
      const chunks = [];
      for await (const chunk of stream) chunks.push(chunk);
      return chunks;
    };
    const first = await read();

    const again = await read();

    expect(again).toEqual(first);
    expect(again.at(-1)!.usage).toMatchObject({ completion_tokens: expect.any(Number) });
    expect(calls()).toBe(1);
  });

  it.each([
    ['whole', QUESTION],
    ['streamed', STREAMED],
  ])('is repeated byte for byte with its headers, %s, failover and all', async (_, body) => {
    await gateway.putPolicy(miniFirst());
    gateway.openai.setBehaviour({ kind: 'status', status: 503 });
    const first = await ask(body);
    gateway.openai.setBehaviour({ kind: 'answer' });
    const callsBefore = calls();

    const again = await ask(body);

    expectRepeated(again, first);
    expect(again.headers.get('x-schneeai-fallback-reason')).toBe('primary_provider_5xx');
    expect(again.text).toContain('fallback_from');
    expect(calls()).toBe(callsBefore);
  });

  it('is repeated though nothing could serve it now', async () => {
    const first = await ask();
    gateway.openai.setBehaviour({ kind: 'status', status: 503 });
    await gateway.putPolicy(
      only(MINI, { match: ['*'], primary: { provider: 'anthropic', model: 'claude-haiku-4-5' } }),
    );
    await gateway.admin('POST', '/channels/openai-us/disable');

    const again = await ask();

    await gateway.admin('POST', '/channels/openai-us/enable');
    expectRepeated(again, first);
  });

  it('opens no interaction when it is repeated', async () => {
    const first = await ask();
    const before = (await gateway.records()).length;

    await ask();
    await ask();

    expect(await gateway.records()).toHaveLength(before);
    expect(await gateway.record(requestIdOf(first))).toMatchObject({
      state: 'served',
      billable_id: requestIdOf(first),
      idempotency_key_used: true,
    });
  });

  it('is repeated as the refusal that the model gave', async () => {
    const error = { message: 'filtered', type: 'invalid_request_error', code: 'content_filter' };
    gateway.openai.enqueue({ kind: 'status', status: 400, body: { error } });
    const first = await ask();
    expect(await gateway.record(requestIdOf(first))).toMatchObject({ state: 'served' });

    const again = await ask();

    expect(again.status).toBe(400);
    expectRepeated(again, first);
    expect(calls()).toBe(1);
  });

  it('is the same whatever the order of its members', async () => {
    const first = await ask({ model: 'gpt-4o-mini', messages: QUESTION.messages, temperature: 1 });

    const { messages, model } = QUESTION;

    expectRepeated(await ask({ temperature: 1.0, messages, model }), first);
  });

  it.each<[string, object]>([
    ['another question', { ...QUESTION, messages: [{ role: 'user', content: 'How cold is it?' }] }],
    ['a stream of it', STREAMED],
    ['another parameter', { ...QUESTION, seed: 1 }],
  ])('is not repeated for %s', async (_, body) => {
    await ask();

    const other = await ask(body);

    expect([other.status, codeOf(other)]).toEqual([422, 'idempotency_key_reused']);
    expect(calls()).toBe(1);
  });

  it('is new after a day', async () => {
    const first = await ask();
    time.skip(KEY_RETENTION_MS);

    const later = await ask({ ...QUESTION, seed: 1 });

    expect(later.status).toBe(200);
    expect(requestIdOf(later)).not.toBe(requestIdOf(first));
    expect(calls()).toBe(2);
  });

  it('is nothing to another tenant with the same key', async () => {
    const other = await gateway.addTenant(`other-${keys}`, { failover: false });
    const first = await ask();

    const theirs = await gateway.chat(QUESTION, { 'idempotency-key': key }, other);

    expect(theirs.status).toBe(200);
    expect(requestIdOf(theirs)).not.toBe(requestIdOf(first));
    expect(theirs.headers.has('idempotent-replayed')).toBe(false);
  });
});

describe('a request that still runs', () => {
  it.each([
    ['whole', QUESTION],
    ['streamed', STREAMED],
  ])('lets its repetitions wait, %s', async (_, body) => {
    gateway.openai.setBehaviour({ kind: 'answer', text: 'one two', holdAt: 'before_headers' });
    const running = ask(body);
    await gateway.openai.waitForCalls(1);

    const meanwhile = await ask(body);

    expect([meanwhile.status, codeOf(meanwhile)]).toEqual([409, 'idempotency_in_progress']);
    expect(Object.fromEntries(meanwhile.headers)).toMatchObject({
      'retry-after': '2',
      'retry-after-ms': '2000',
      'x-should-retry': 'true',
    });
    gateway.openai.release();
    const first = await running;
    expectRepeated(await ask(body), first);
    expect(calls()).toBe(1);
  });

  it('does not keep quiet about another body', async () => {
    gateway.openai.setBehaviour({ kind: 'answer', holdAt: 'before_headers' });
    const running = ask();
    await gateway.openai.waitForCalls(1);

    expect((await ask({ ...QUESTION, seed: 1 })).status).toBe(422);

    gateway.openai.release();
    await running;
  });

  it('is called for once, though ten ask at the same instant', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask()));

    expect(calls()).toBe(1);
    const served = answers.filter(({ status }) => status === 200);
    expect(new Set(served.map(requestIdOf)).size).toBe(1);
    const others = answers.filter(({ status }) => status !== 200);
    expect(new Set([...others.map(codeOf), 'idempotency_in_progress']).size).toBe(1);
    const first = await gateway.record(requestIdOf(served[0]!));
    expect(first).toMatchObject({ state: 'served', attempts: 1 });
  });
});

describe('after a request that failed', () => {
  it('the key may be used again, for another body too, and each is billed by itself', async () => {
    await gateway.putPolicy(only(MINI));
    gateway.openai.enqueue({ kind: 'status', status: 400 });
    const failed = await ask();
    expect(failed.status).toBe(400);

    const corrected = await ask({ ...QUESTION, seed: 1 });

    expect(corrected.status).toBe(200);
    expect(corrected.headers.has('idempotent-replayed')).toBe(false);
    expect(await gateway.record(requestIdOf(corrected))).toMatchObject({
      billable_id: requestIdOf(corrected),
    });
    expectRepeated(await ask({ ...QUESTION, seed: 1 }), corrected);
  });

  it('that was refused, no key is taken', async () => {
    await gateway.admin('POST', '/channels/openai-us/disable');
    const refused = await ask();
    expect(refused.status).toBe(503);
    expect(await gateway.record(requestIdOf(refused))).toMatchObject({
      state: 'refused',
      idempotency_key_used: false,
    });
    await gateway.admin('POST', '/channels/openai-us/enable');

    expect((await ask()).status).toBe(200);
  });
});

describe('a request whose answer was not complete', () => {
  const usage = async (): Promise<Json> =>
    (await gateway.admin('GET', `/tenants/${TENANT}/usage?from=0`)).body;
  const total = async (field: string): Promise<number> => {
    const groups = (await usage())['data'] as Json;
    return groups.reduce((sum, group) => sum + Number(group[field]), 0);
  };

  it('runs again for the same billable interaction, whose costs add up', async () => {
    const [billedBefore, costBefore] = [await total('interactions'), await total('cost_micro_usd')];
    const streamed = { ...STREAMED, max_tokens: 20_000 };
    gateway.openai.enqueue({
      kind: 'answer',
      text: 'one two three',
      interruption: { after: 2, by: 'reset' },
    });
    const partial = await ask(streamed);
    expect(readStream(partial.text)).toMatchObject({ done: false });

    const complete = await ask(streamed);

    expect(readStream(complete.text)).toMatchObject({ done: true, error: null });
    const first = await gateway.record(requestIdOf(partial));
    const second = await gateway.record(requestIdOf(complete));
    expect(first).toMatchObject({ state: 'partial', billable_id: requestIdOf(partial) });
    expect(second).toMatchObject({ state: 'served', billable_id: requestIdOf(partial) });
    expect(await total('interactions')).toBe(billedBefore + 1);
    const costs = Number(first['cost_micro_usd']) + Number(second['cost_micro_usd']);
    expect(Number(first['cost_micro_usd'])).toBeGreaterThan(0);
    expect(await total('cost_micro_usd')).toBe(costBefore + costs);
    expectRepeated(await ask(streamed), complete);
  });

  it('because its caller left runs again, and another body does not', async () => {
    gateway.openai.enqueue({ kind: 'answer', holdAt: 'before_headers' });
    const leaving = new AbortController();
    const options = { headers: { 'Idempotency-Key': key }, signal: leaving.signal };
    const left = gateway.client().chat.completions.create(QUESTION, options).catch(String);
    await gateway.openai.waitForCalls(1);
    leaving.abort();
    await left;
    const cancelled = await gateway.newestClosed();
    expect(cancelled).toMatchObject({ state: 'cancelled' });

    expect((await ask({ ...QUESTION, seed: 1 })).status).toBe(422);
    const again = await ask();

    expect(again.status).toBe(200);
    expect(await gateway.record(requestIdOf(again))).toMatchObject({
      state: 'served',
      billable_id: cancelled['request_id'],
    });
  });
});

describe('an idempotency key', () => {
  it.each(['', 'a b', 'x'.repeat(256)])(
    'of another form (%j) is refused, naming the header',
    async (value) => {
      const refused = await ask(QUESTION, { 'idempotency-key': value });

      expect(refused.status).toBe(400);
      expect(refused.body['error']).toMatchObject({
        code: 'invalid_request_error',
        param: 'idempotency-key',
      });
      expect(calls()).toBe(0);
    },
  );

  it('is neither sent on nor stored, and nothing of question and answer is stored in clear', async () => {
    const secret = 'canary-key-of-the-order-8d1c';
    gateway.openai.enqueue({ kind: 'answer', text: 'canary-answer-4f70' });
    const body = { ...STREAMED, messages: [{ role: 'user', content: 'canary-question-b2e9' }] };

    const first = await ask(body, { 'idempotency-key': secret });

    expectRepeated(await ask(body, { 'idempotency-key': secret }), first);
    expect(first.text).toContain('canary-answer-4f70');
    const [call] = gateway.openai.received;
    expect(JSON.stringify(call!.headers)).not.toMatch(/idempotency|canary-key/);
    expect(gateway.storedText()).not.toMatch(/canary-(key|answer|question)/);
    expect(gateway.logLines.join('')).not.toMatch(/canary-(key|answer|question)/);
  });

  it('is counted by what became of it', async () => {
    await ask();
    await ask();

    const { text } = await gateway.send('GET', '/metrics');

    expect(text).toMatch(/schneeai_idempotency_keys_total\{outcome="new"\} \d+/);
    expect(text).toMatch(/schneeai_idempotency_keys_total\{outcome="replay"\} \d+/);
  });
});
