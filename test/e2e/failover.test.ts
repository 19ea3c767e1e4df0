import { TestGateway, type Json } from '../support/gateway';
import { haikuFirst, miniFirst } from '../support/gateway-policy';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.reset());

const messages = [{ role: 'user' as const, content: 'Hi' }];
const ASK_MINI = { model: 'gpt-4o-mini', messages };
const ASK_HAIKU = { model: 'claude-haiku-4-5', messages };
const STREAMED = { stream: true as const, stream_options: { include_usage: true } };

const DOWN = { kind: 'status', status: 503 } as const;

const MINI_TO_HAIKU = {
  fallback_reason: 'primary_provider_5xx',
  fallback_from: 'gpt-4o-mini',
  fallback_to: 'claude-haiku-4-5',
  fallback_from_model: 'gpt-4o-mini',
  fallback_to_model: 'claude-haiku-4-5',
  fallback_from_provider: 'openai',
  fallback_to_provider: 'anthropic',
  fallback_cost_multiplier: 8.3333,
  served_model: 'claude-haiku-4-5',
  served_provider: 'anthropic',
  attempts: 3,
};

const HAIKU_TO_MINI = {
  fallback_reason: 'primary_provider_5xx',
  fallback_from: 'claude-haiku-4-5',
  fallback_to: 'gpt-4o-mini',
  fallback_from_model: 'claude-haiku-4-5',
  fallback_to_model: 'gpt-4o-mini',
  fallback_from_provider: 'anthropic',
  fallback_to_provider: 'openai',
  fallback_cost_multiplier: 0.15,
  served_model: 'gpt-4o-mini',
  served_provider: 'openai',
  attempts: 3,
};

/** The data of each event but `[DONE]`, parsed. */
function chunksOf(text: string): Json[] {
  const events = text.split('\n\n').filter((event) => event.startsWith('data: {'));
  return events.map((event) => JSON.parse(event.slice('data: '.length)) as Json);
}

describe('with gpt-4o-mini down and claude-haiku-4-5 as its fallback', () => {
  beforeEach(async () => {
    await gateway.putPolicy(miniFirst());
    gateway.openai.setBehaviour(DOWN);
  });

  it('serves a whole answer that says what happened', async () => {
    const { data, response, request_id } = await gateway
      .client()
      .chat.completions.create(ASK_MINI)
      .withResponse();

    expect(data.model).toBe('gpt-4o-mini→claude-haiku-4-5 (fallback: gpt-4o-mini)');
    expect(data.choices[0]!.message.content).toBe('anthropic answers: Hi');
    expect(data).toHaveProperty('schneeai', MINI_TO_HAIKU);
    expect(data).toHaveProperty('request_id', request_id);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'x-request-id': request_id,
      'x-schneeai-provider': 'anthropic',
      'x-schneeai-model': 'claude-haiku-4-5',
      'x-schneeai-attempts': '3',
      'x-schneeai-fallback-reason': 'primary_provider_5xx',
    });
  });

  it('serves a stream that says so on its first chunk and on its usage chunk', async () => {
    const { status, headers, text } = await gateway.chat({ ...ASK_MINI, ...STREAMED });
    const chunks = chunksOf(text);

    expect(status).toBe(200);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(new Set(chunks.map(({ model }) => model))).toEqual(
      new Set(['gpt-4o-mini→claude-haiku-4-5 (fallback: gpt-4o-mini)']),
    );
    const annotated = chunks.flatMap((chunk, index) => ('schneeai' in chunk ? [index] : []));
    expect(annotated).toEqual([0, chunks.length - 1]);
    expect(chunks[0]).toMatchObject({ schneeai: MINI_TO_HAIKU, request_id: headers.get('x-request-id') });
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      schneeai: MINI_TO_HAIKU,
      request_id: headers.get('x-request-id'),
    });
    expect(headers.get('x-schneeai-fallback-reason')).toBe('primary_provider_5xx');
    expect(headers.get('x-schneeai-provider')).toBe('anthropic');
  });

  it('says so on the last chunk where no usage was asked for', async () => {
    const { text } = await gateway.chat({ ...ASK_MINI, stream: true });
    const chunks = chunksOf(text);

    expect(chunks.at(-1)!['choices']![0]!['finish_reason']).toBe('stop');
    expect(chunks.at(-1)).toMatchObject({ schneeai: MINI_TO_HAIKU });
  });

  it('gives the plain name to clients that parse it', async () => {
    await gateway.putPolicy(miniFirst({ response_model: 'served' }));

    const completion = await gateway.client().chat.completions.create(ASK_MINI);

    expect(completion.model).toBe('claude-haiku-4-5');
    expect(completion).toHaveProperty('schneeai', MINI_TO_HAIKU);
  });

  it('names what was requested where the policy answers for a name of its own', async () => {
    const completion = await gateway.client().chat.completions.create({ ...ASK_MINI, model: 'auto' });

    expect(completion.model).toBe('auto→claude-haiku-4-5 (fallback: gpt-4o-mini)');
  });
});

describe('with claude-haiku-4-5 down and gpt-4o-mini as its fallback', () => {
  beforeEach(async () => {
    await gateway.putPolicy(haikuFirst());
    gateway.anthropic.setBehaviour(DOWN);
  });

  it('serves a whole answer that says what happened', async () => {
    const completion = await gateway.client().chat.completions.create(ASK_HAIKU);

    expect(completion.model).toBe('claude-haiku-4-5→gpt-4o-mini (fallback: claude-haiku-4-5)');
    expect(completion.choices[0]!.message.content).toBe('openai answers: Hi');
    expect(completion).toHaveProperty('schneeai', HAIKU_TO_MINI);
  });

  it('serves a stream that says what happened', async () => {
    const { text } = await gateway.chat({ ...ASK_HAIKU, ...STREAMED });
    const chunks = chunksOf(text);

    expect(chunks.map(({ choices }) => choices![0]?.['delta']!['content'] ?? '').join('')).toBe(
      'openai answers: Hi',
    );
    expect(chunks[0]).toMatchObject({ schneeai: HAIKU_TO_MINI });
    expect(chunks.at(-1)).toMatchObject({ choices: [], schneeai: HAIKU_TO_MINI });
  });
});

describe('the audit record of a failover (B52)', () => {
  it('holds every attempt with its cause, its times and its id at the provider', async () => {
    await gateway.putPolicy(miniFirst(), 'cheap-first');
    gateway.openai.setBehaviour({ ...DOWN, delayMs: 20, headers: { 'x-request-id': 'up-1' } });
    gateway.anthropic.setBehaviour({ kind: 'answer', headers: { 'request-id': 'up-2' } });

    const answered = await gateway.chat(ASK_MINI, { 'x-schneeai-service': 'shop' });
    const record = await gateway.record(answered.headers.get('x-request-id'));

    expect(record).toMatchObject({
      state: 'served',
      requested_model: 'gpt-4o-mini',
      policy: { name: 'cheap-first', version: 1 },
      planned: [
        { offering: 'mini', provider: 'openai', model: 'gpt-4o-mini' },
        { offering: 'haiku', provider: 'anthropic', model: 'claude-haiku-4-5' },
      ],
      served: {
        offering: 'haiku',
        provider: 'anthropic',
        model: 'claude-haiku-4-5',
        upstream_name: 'claude-haiku-4-5',
      },
      fallback_reason: 'primary_provider_5xx',
      attempts: 3,
      service: 'shop',
      error_code: null,
    });
    expect(record['ledger']).toMatchObject([
      {
        number: 1,
        action: 'initial',
        provider: 'openai',
        offering: 'mini',
        upstream_name: 'gpt-4o-mini',
        status: 503,
        fault: 'server_error',
        stage: 'before_headers',
        upstream_request_id: 'up-1',
        backoff_ms: 0,
        first_output_at: null,
        cost_micro_usd: 0,
      },
      {
        number: 2,
        action: 'retry',
        provider: 'openai',
        status: 503,
        fault: 'server_error',
        upstream_request_id: 'up-1',
        backoff_ms: 10,
        cost_micro_usd: 0,
      },
      {
        number: 3,
        action: 'model_fallback',
        provider: 'anthropic',
        offering: 'haiku',
        upstream_name: 'claude-haiku-4-5',
        status: 200,
        outcome: 'served',
        finish_reason: 'stop',
        fault: null,
        upstream_request_id: 'up-2',
        // One input token at 1 and six output tokens at 5 micro-USD.
        usage: { input_tokens: 1, output_tokens: 6, source: 'provider' },
        cost_micro_usd: 31,
      },
    ]);
    expect(record['cost_micro_usd']).toBe(31);
  });

  it('has times that follow each other', async () => {
    await gateway.putPolicy(miniFirst());
    gateway.openai.setBehaviour({ ...DOWN, delayMs: 20 });

    const answered = await gateway.chat(ASK_MINI);
    const record = await gateway.record(answered.headers.get('x-request-id'));
    const times = (record['ledger'] as Json).flatMap((row) => [
      row['started_at'],
      row['headers_at'],
      row['first_output_at'],
      row['ended_at'],
    ]);
    const known = [record['opened_at'], ...times, record['closed_at']].flatMap((time) =>
      time === null ? [] : [Date.parse(String(time))],
    );

    expect(known).toEqual([...known].sort((one, other) => one - other));
    expect(known).toHaveLength(12);
    const [first, retry] = record['ledger'] as unknown as readonly Record<string, string>[];
    expect(Date.parse(first!['headers_at']!) - Date.parse(first!['started_at']!)).toBeGreaterThanOrEqual(19);
    expect(Date.parse(retry!['started_at']!) - Date.parse(first!['ended_at']!)).toBeGreaterThanOrEqual(9);
  });

  it('names the policy version that was really used', async () => {
    await gateway.putPolicy(miniFirst());
    const second = await gateway.putPolicy(miniFirst({ max_hops: 2 }));

    const answered = await gateway.chat(ASK_MINI);

    const record = await gateway.record(answered.headers.get('x-request-id'));
    expect(record['policy']).toEqual({ name: 'default', version: second['version'] });
  });
});

// Such an answer came under its plain name, with no word of the change and nothing for the audit filter to find.
describe('a primary that a gate has left out', () => {
  const OTHER_REASON = { ...MINI_TO_HAIKU, fallback_reason: 'primary_not_eligible', attempts: 1 };

  beforeEach(() => gateway.putPolicy(miniFirst()));
  afterEach(async () => {
    await gateway.admin('POST', '/channels/openai-us/enable');
    await gateway.put('/tenants/acme/eligibility', {});
  });

  it.each([
    ['an operator who disabled its channel', () => gateway.admin('POST', '/channels/openai-us/disable')],
    [
      'a contract that excludes it',
      () =>
        gateway.put('/tenants/acme/eligibility', {
          exclusions: [{ provider: 'openai', note: 'Not for us' }],
        }),
    ],
    [
      'an allow list without it',
      () => gateway.put('/tenants/acme/eligibility', { allow_list: [{ provider: 'anthropic' }] }),
    ],
  ])('by %s is never replaced silently', async (_gate, leaveOut) => {
    await leaveOut();

    const { status, headers, body } = await gateway.chat(ASK_MINI);
    const record = await gateway.record(headers.get('x-request-id'));

    expect(status).toBe(200);
    expect(body).toMatchObject({
      model: 'gpt-4o-mini→claude-haiku-4-5 (fallback: gpt-4o-mini)',
      schneeai: OTHER_REASON,
    });
    expect(headers.get('x-schneeai-fallback-reason')).toBe('primary_not_eligible');
    expect(record).toMatchObject({ fallback_reason: 'primary_not_eligible', attempts: 1 });
    expect(record['ledger']).toMatchObject([{ action: 'model_fallback', provider: 'anthropic' }]);
    expect(gateway.openai.received).toHaveLength(0);
  });

  it('by an open circuit is never replaced silently', async () => {
    gateway.openai.setBehaviour(DOWN);
    await gateway.chat(ASK_MINI);
    await gateway.chat(ASK_MINI);
    const before = gateway.openai.received.length;

    const { headers, body } = await gateway.chat(ASK_MINI);

    expect(body['schneeai']).toEqual({
      ...MINI_TO_HAIKU,
      fallback_reason: 'primary_circuit_open',
      attempts: 1,
    });
    expect(headers.get('x-schneeai-fallback-reason')).toBe('primary_circuit_open');
    expect(gateway.openai.received).toHaveLength(before);
  });
});
