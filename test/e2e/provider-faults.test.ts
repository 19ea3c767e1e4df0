import { TestGateway, type Json } from '../support/gateway';
import { SleeplessTime } from '../support/gateway-time';
import { HAIKU, haikuFirst, MINI, miniFirst, only, timeouts } from '../support/gateway-policy';

const time = new SleeplessTime();
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start({ time });
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.reset());

const messages = [{ role: 'user' as const, content: 'Hi' }];
const ASK = { model: 'gpt-4o-mini', messages };
const HTML = '<html><body><h1>Something is wrong at the edge</h1></body></html>';

function stepsOf(record: Json): string[] {
  return (record['ledger'] as Json).map((row) => `${row['action']} ${row['provider']} ${row['status']}`);
}

const SIDES = [
  { wire: 'openai', model: 'gpt-4o-mini', target: MINI },
  { wire: 'anthropic', model: 'claude-haiku-4-5', target: HAIKU },
] as const;

describe.each(SIDES)('at the $wire wire, with no fallback', ({ wire, model, target }) => {
  beforeEach(() => gateway.putPolicy(only(target)));

  const ask = () => gateway.chat({ model, messages });

  it.each([500, 502, 503, 504, 520, 521, 522, 523, 524, 529])(
    '%i is weather: the same route is asked again',
    async (status) => {
      gateway[wire].enqueue({ kind: 'status', status, body: HTML, headers: { 'content-type': 'text/html' } });

      const answered = await ask();

      const record = await gateway.record(answered.headers.get('x-request-id'));
      expect(answered.status).toBe(200);
      expect(stepsOf(record)).toEqual([`initial ${wire} ${status}`, `retry ${wire} 200`]);
      expect((record['ledger'] as Json)[0]).toMatchObject({ fault: 'server_error' });
    },
  );

  it.each([500, 502, 503, 504, 520, 521, 522, 523, 524, 529])(
    '%i with an empty body is the same',
    async (status) => {
      gateway[wire].enqueue({ kind: 'status', status, body: '' });

      expect((await ask()).status).toBe(200);
      expect(gateway[wire].received).toHaveLength(2);
    },
  );

  it.each([501, 505, 525, 526])('%i is how it was set up: it is not asked again', async (status) => {
    gateway[wire].enqueue({ kind: 'status', status, body: HTML, headers: { 'content-type': 'text/html' } });

    const { status: told, body } = await ask();

    expect(told).toBe(502);
    expect(body['error']).toMatchObject({ code: 'provider_failed' });
    expect(gateway[wire].received).toHaveLength(1);
  });

  it('408 is asked again once at most', async () => {
    gateway[wire].setBehaviour({ kind: 'status', status: 408, body: '' });

    const { status, body } = await ask();

    expect(status).toBe(504);
    expect(body['error']).toMatchObject({ code: 'provider_timeout' });
    expect(gateway[wire].received).toHaveLength(2);
  });

  it('425 is asked again, since it means too early', async () => {
    const headers = { 'x-should-retry': 'true' };
    gateway[wire].enqueue({ kind: 'status', status: 425, body: '', headers });

    expect((await ask()).status).toBe(200);
    expect(gateway[wire].received).toHaveLength(2);
  });

  it('is not asked again where it says so itself', async () => {
    gateway[wire].enqueue({ kind: 'status', status: 503, headers: { 'x-should-retry': 'false' } });

    expect((await ask()).status).toBe(502);
    expect(gateway[wire].received).toHaveLength(1);
  });

  it('obeys Retry-After on 529', async () => {
    const before = time.slept.length;
    gateway[wire].enqueue({ kind: 'status', status: 529, headers: { 'retry-after': '1' } });

    const answered = await ask();

    expect(answered.status).toBe(200);
    expect(time.slept.slice(before)).toEqual([1_000]);
  });

  it('obeys Retry-After: 2 on 429, and says so in the record', async () => {
    const before = time.slept.length;
    gateway[wire].enqueue({ kind: 'status', status: 429, headers: { 'retry-after': '2' } });

    const answered = await ask();
    const record = await gateway.record(answered.headers.get('x-request-id'));

    expect(answered.status).toBe(200);
    expect(time.slept.slice(before)).toHaveLength(1);
    // The throttle ends two seconds after the answer, so nothing or a millisecond of it has passed when it is looked at.
    expect(time.slept.at(-1)).toBeGreaterThanOrEqual(1_990);
    expect(time.slept.at(-1)).toBeLessThanOrEqual(2_000);
    expect(record['ledger']).toMatchObject([
      { status: 429, fault: 'rate_limited', retry_after_ms: 2_000 },
      { action: 'retry', backoff_ms: time.slept.at(-1), status: 200 },
    ]);
  });

  it('does not wait for a Retry-After beyond the deadline, and passes it on', async () => {
    const before = time.slept.length;
    gateway[wire].setBehaviour({ kind: 'status', status: 429, headers: { 'retry-after': '86400' } });

    const { status, headers, body } = await ask();

    expect(time.slept.slice(before)).toEqual([]);
    expect(status).toBe(429);
    expect(body['error']).toMatchObject({ code: 'rate_limit_exceeded', type: 'rate_limit_error' });
    expect(headers.get('retry-after')).toBe('86400');
    expect(gateway[wire].received).toHaveLength(1);
  });

  it('returns a 400 as it is, once', async () => {
    const error = { message: 'That is no role.', type: 'invalid_request_error' };
    const body =
      wire === 'openai' ? { error: { ...error, param: 'messages', code: null } } : { type: 'error', error };
    gateway[wire].setBehaviour({ kind: 'status', status: 400, body });

    const answered = await ask();
    const record = await gateway.record(answered.headers.get('x-request-id'));

    expect(answered.status).toBe(400);
    expect(answered.body['error']).toMatchObject({
      message: 'That is no role.',
      type: 'invalid_request_error',
    });
    expect(gateway[wire].received).toHaveLength(1);
    expect(record).toMatchObject({ attempts: 1 });
    expect(record['ledger']).toMatchObject([{ status: 400, fault: 'caller' }]);
  });

  it('never passes the 401 of its own account on', async () => {
    gateway[wire].setBehaviour({ kind: 'status', status: 401 });

    const { status, body } = await ask();

    expect(status).toBe(502);
    expect(body['error']).toMatchObject({ code: 'provider_failed' });
    expect(String(body['error']!['message'])).toContain("gateway's account");
    expect(gateway[wire].received).toHaveLength(1);
  });

  it('never passes the 402 of its own account on', async () => {
    gateway[wire].setBehaviour({ kind: 'status', status: 402 });

    expect((await ask()).status).toBe(502);
  });

  it.each(['html', 'half_json', 'empty'] as const)(
    'does not take 200 with %s for an answer',
    async (form) => {
      gateway[wire].setBehaviour({ kind: 'garbage', form });

      const { status, body } = await ask();

      expect(status).toBe(502);
      expect(body['error']).toMatchObject({ code: 'provider_malformed' });
      expect(gateway[wire].received).toHaveLength(1);
    },
  );

  it('ends a provider that hangs before its headers by the configured timeout', async () => {
    await gateway.putPolicy(
      only(target, { ...timeouts({ headers_ms: 60, stream_headers_ms: 60 }), retry: { max_retries: 0 } }),
    );
    gateway[wire].setBehaviour({ kind: 'hang' });

    const { status, headers, body } = await ask();
    const closed = await gateway[wire].waitForClose(0);

    expect(status).toBe(504);
    expect(body['error']).toMatchObject({ code: 'provider_timeout' });
    expect(closed.state).toBe('closed_by_peer');
    const record = await gateway.record(headers.get('x-request-id'));
    expect(record['ledger']).toMatchObject([
      { status: null, headers_at: null, fault: 'timeout', aborted_by: 'headers_timeout' },
    ]);
  });

  it('survives a reset connection', async () => {
    gateway[wire].enqueue({ kind: 'reset' });

    const answered = await ask();

    expect(answered.status).toBe(200);
    expect(gateway[wire].received).toHaveLength(2);
  });
});

describe.each([
  ['openai', miniFirst, 'gpt-4o-mini', 'anthropic'],
  ['anthropic', haikuFirst, 'claude-haiku-4-5', 'openai'],
] as const)('at the %s wire, with a fallback', (wire, policy, model, other) => {
  const ask = () => gateway.chat({ model, messages });

  it.each([
    ['429 without a wait', { kind: 'status', status: 429 }, 'primary_provider_429', 2],
    [
      '429 with a wait',
      { kind: 'status', status: 429, headers: { 'retry-after': '86400' } },
      'primary_provider_429',
      1,
    ],
    ['a bad key', { kind: 'status', status: 401 }, 'primary_provider_credential', 1],
    ['501', { kind: 'status', status: 501 }, 'primary_provider_5xx', 1],
    ['505', { kind: 'status', status: 505, body: '' }, 'primary_provider_5xx', 1],
    ['525', { kind: 'status', status: 525, body: HTML }, 'primary_provider_5xx', 1],
    ['526', { kind: 'status', status: 526, body: '' }, 'primary_provider_5xx', 1],
    ['HTML under 200', { kind: 'garbage', form: 'html' }, 'primary_provider_malformed', 1],
    ['529', { kind: 'status', status: 529, body: '' }, 'primary_provider_5xx', 2],
    ['a reset', { kind: 'reset' }, 'primary_provider_network', 2],
    ['408', { kind: 'status', status: 408, body: '' }, 'primary_provider_timeout', 2],
  ] as const)('%s leads to it', async (_fault, behaviour, reason, calls) => {
    await gateway.putPolicy(policy());
    gateway[wire].setBehaviour(behaviour);

    const { status, body } = await ask();

    expect(status).toBe(200);
    expect(body['schneeai']).toMatchObject({ fallback_reason: reason, served_provider: other });
    expect(gateway[wire].received).toHaveLength(calls);
    expect(gateway[other].received).toHaveLength(1);
  });

  it.each([400, 422])("%i does not, since it is the caller's", async (status) => {
    await gateway.putPolicy(policy());
    gateway[wire].setBehaviour({ kind: 'status', status, body: { error: { message: 'No.' } } });

    expect((await ask()).status).toBe(status);
    expect(gateway[wire].received).toHaveLength(1);
    expect(gateway[other].received).toHaveLength(0);
  });
});

it.each([
  // The Messages API means two requests that met; anyone else means the request.
  ['openai', 'gpt-4o-mini', 409, 1],
  ['anthropic', 'claude-haiku-4-5', 200, 2],
] as const)('takes 409 at the %s wire for what it means there', async (wire, model, status, calls) => {
  gateway[wire].enqueue({ kind: 'status', status: 409, headers: { 'x-should-retry': 'true' } });

  expect((await gateway.chat({ model, messages })).status).toBe(status);
  expect(gateway[wire].received).toHaveLength(calls);
});

it('answers 429 with the shortest wait when every route is rate-limited', async () => {
  await gateway.putPolicy(miniFirst({ retry: { max_retries: 0 } }));
  gateway.openai.setBehaviour({ kind: 'status', status: 429, headers: { 'retry-after': '30' } });
  gateway.anthropic.setBehaviour({ kind: 'status', status: 429, headers: { 'retry-after': '20' } });

  const { status, headers, body } = await gateway.chat(ASK);

  expect(status).toBe(429);
  expect(body['error']).toMatchObject({ code: 'rate_limit_exceeded' });
  expect(headers.get('retry-after')).toBe('20');
  expect(gateway.openai.received).toHaveLength(1);
  expect(gateway.anthropic.received).toHaveLength(1);
});

it('waits until the caller’s own limit and no longer', async () => {
  gateway.openai.setBehaviour({ kind: 'hang' });

  const { status, body } = await gateway.chat(ASK, { 'x-schneeai-timeout-ms': '1100' });

  expect(status).toBe(504);
  expect(body['error']).toMatchObject({ code: 'provider_timeout' });
});

it('makes one call at most for a caller who forbids replays', async () => {
  await gateway.putPolicy(miniFirst());
  gateway.openai.setBehaviour({ kind: 'status', status: 503 });

  const { status } = await gateway.chat(ASK, { 'x-schneeai-replay': 'never' });

  expect(status).toBe(502);
  expect(gateway.openai.received).toHaveLength(1);
  expect(gateway.anthropic.received).toHaveLength(0);
});
