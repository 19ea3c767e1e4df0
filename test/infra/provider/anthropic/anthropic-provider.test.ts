import type { JsonObject } from '../../../../src/domain/kernel/json';
import { CHANNEL_KEY, ProviderBench } from './provider-bench';
import { deltasOf } from './read-fixture';

let bench: ProviderBench;

beforeAll(async () => {
  bench = await ProviderBench.start();
});
afterEach(() => bench.upstream.reset());
afterAll(() => bench.stop());

const sentBody = (): JsonObject => bench.upstream.received[0]?.body as JsonObject;

describe('what is sent', () => {
  it('is the Messages request, streamed whatever the caller asked for', async () => {
    await bench.whole({ max_tokens: 100, temperature: 0.5, user: 'ann' });

    const [call] = bench.upstream.received;
    expect(call).toMatchObject({ method: 'POST', path: '/v1/messages' });
    expect(sentBody()).toMatchObject({
      model: 'claude-haiku-4-5-20251001',
      stream: true,
      max_tokens: 100,
      temperature: 0.5,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    });
  });

  it('carries our headers, one credential, and nothing of the environment', async () => {
    process.env.ANTHROPIC_AUTH_TOKEN = 'of-the-environment';
    process.env.ANTHROPIC_BASE_URL = 'http://127.0.0.1:1';

    await bench.whole();

    delete process.env.ANTHROPIC_AUTH_TOKEN;
    delete process.env.ANTHROPIC_BASE_URL;
    const headers = bench.upstream.received[0]?.headers;
    expect(headers).toMatchObject({
      'x-api-key': CHANNEL_KEY,
      'anthropic-version': '2023-06-01',
      'user-agent': 'schneeai-gateway/1.2.3',
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'accept-encoding': 'identity',
      'x-stainless-retry-count': '0',
    });
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).not.toHaveProperty('x-stainless-timeout');
    expect(headers).not.toHaveProperty('anthropic-beta');
  });

  it('is a bearer token where the channel says so, with its own version and headers', async () => {
    await bench.whole(
      {},
      {
        options: {
          anthropicAuth: 'bearer',
          anthropicVersion: '2026-10-21',
          headers: { 'anthropic-beta': 'b-1' },
        },
      },
    );

    const headers = bench.upstream.received[0]?.headers;
    expect(headers).toMatchObject({
      authorization: `Bearer ${CHANNEL_KEY}`,
      'anthropic-version': '2026-10-21',
      'anthropic-beta': 'b-1',
    });
    expect(headers).not.toHaveProperty('x-api-key');
  });

  it('has one credential and one version, whatever the headers of the channel say', async () => {
    const headers = {
      'X-Api-Key': 'other',
      Authorization: 'Bearer other',
      'Anthropic-Version': '2020-01-01',
    };

    await bench.whole({}, { options: { headers } });

    const sent = bench.upstream.received[0]?.headers;
    expect(sent).toMatchObject({ 'x-api-key': CHANNEL_KEY, 'anthropic-version': '2023-06-01' });
    expect(sent).not.toHaveProperty('authorization');
  });

  it('has no sampling under the version that knows none, and says so', async () => {
    const reply = await bench.send({ temperature: 0.5 }, { options: { anthropicVersion: '2026-10-21' } });

    if (reply.kind !== 'whole') throw new Error(reply.kind);
    await reply.read();
    expect(reply.ignoredParams).toEqual(['temperature']);
    expect(sentBody()).not.toHaveProperty('temperature');
  });

  it('names a user by a hash that differs between tenants', async () => {
    await bench.whole({ user: 'ann' });
    await bench.whole({ user: 'ann' });
    await bench.whole({ user: 'ann' }, { tenant: 'tenant_2' });

    const ids = bench.upstream.received.map(
      (call) => ((call.body as JsonObject).metadata as JsonObject).user_id,
    );
    expect(ids[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it('is nothing where the request can not be translated, and the field is named', async () => {
    const unable = await bench.send({ n: 2 });
    const rejected = await bench.send({ seed: 7 }, { unsupportedParams: 'reject' });

    const local = { kind: 'local', cause: 'untranslatable' };
    expect(unable).toMatchObject({ kind: 'failed', head: null, signal: { ...local, param: 'n' } });
    expect(rejected).toMatchObject({ kind: 'failed', head: null, signal: { ...local, param: 'seed' } });
    expect(bench.upstream.received).toEqual([]);
  });

  it('is nothing where the credential is missing', async () => {
    const reply = await bench.send({}, { channel: { credentialRef: 'env:NOWHERE' } });

    expect(reply).toMatchObject({ kind: 'failed', signal: { kind: 'local', cause: 'no_credential' } });
    expect(bench.upstream.received).toEqual([]);
  });
});

describe('a streamed answer', () => {
  it('comes as frames, with its head and what was ignored', async () => {
    bench.upstream.enqueue({ kind: 'answer', reasoning: 'hm', chunks: ['Grü', 'ße 🌨'] });

    const reply = await bench.send({ stream: true, seed: 7 });

    if (reply.kind !== 'stream') throw new Error(reply.kind);
    expect(reply.head.status).toBe(200);
    expect(reply.head.upstreamRequestId).toBe(bench.upstream.received[0]?.requestId);
    expect(reply.ignoredParams).toEqual(['seed']);
    const frames = [];
    for await (const group of reply.frames) frames.push(...group);
    expect(deltasOf(frames)).toEqual([
      { role: 'assistant', content: '' },
      { reasoning_content: 'hm' },
      { content: 'Grü' },
      { content: 'ße 🌨' },
      {},
    ]);
    expect(frames[0]).toMatchObject({
      chunk: { created: 1_790_000_000, model: 'claude-haiku-4-5-20251001' },
    });
    expect(frames.at(-1)).toEqual({ kind: 'end' });
    expect(bench.activity).toBeGreaterThan(0);
  });

  it('leaves its socket to later calls', async () => {
    for (let call = 0; call < 6; call++) await bench.frames();

    // The last bytes of an answer may arrive after the next call has begun, which then takes a second socket.
    expect(bench.upstream.openConnections).toBeLessThanOrEqual(2);
  });

  it('breaks as a failure when an error event follows the preamble (B22)', async () => {
    bench.upstream.enqueue({
      kind: 'answer',
      text: 'never',
      interruption: { after: 'preamble', by: 'error' },
    });

    const frames = await bench.frames();

    expect(frames.map((frame) => frame.kind)).toEqual(['chunk', 'failure']);
    expect(frames.at(-1)).toMatchObject({
      signal: { kind: 'provider_error', status: 200, body: { error: { type: 'overloaded_error' } } },
    });
  });

  it.each([
    ['reset', 'network'],
    ['close', 'network'],
    ['end', 'truncated'],
  ] as const)('breaks as a failure when the socket ends by %s', async (by, kind) => {
    bench.upstream.enqueue({ kind: 'answer', text: 'one two three', interruption: { after: 1, by } });

    const frames = await bench.frames();

    expect(frames.at(-1)).toMatchObject({ kind: 'failure', signal: { kind } });
  });

  it('is complete when the connection breaks behind the stop reason', async () => {
    const event = (data: JsonObject): string => `data: ${JSON.stringify(data)}\n\n`;
    bench.upstream.enqueue({
      kind: 'raw',
      headers: { 'content-type': 'text/event-stream' },
      pieces: [
        event({ type: 'message_start', message: { id: 'm', usage: { input_tokens: 1, output_tokens: 1 } } }),
        event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } }),
        event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }),
      ],
      then: 'close',
    });

    const frames = await bench.frames();

    expect(deltasOf(frames)).toEqual([{ role: 'assistant', content: '' }, { content: 'Hi' }, {}]);
    expect(frames.at(-1)).toEqual({ kind: 'end' });
  });

  it('is cut by an abort, and its socket closed', async () => {
    bench.upstream.enqueue({
      kind: 'answer',
      text: 'one two three',
      interruption: { after: 1, by: 'stall' },
    });
    const abort = new AbortController();
    const reply = await bench.send({ stream: true }, { abort: abort.signal });

    if (reply.kind !== 'stream') throw new Error(reply.kind);
    const frames = [];
    for await (const group of reply.frames) {
      frames.push(...group);
      if (frames.some((frame) => frame.kind === 'chunk' && frame.weight === 'decisive')) abort.abort();
    }

    expect(frames.every((frame) => frame.kind === 'chunk')).toBe(true);
    expect((await bench.upstream.waitForClose(0)).state).toBe('closed_by_peer');
  });

  it('is cut when its reader leaves', async () => {
    bench.upstream.enqueue({
      kind: 'answer',
      text: 'one two three',
      interruption: { after: 1, by: 'stall' },
    });
    const reply = await bench.send({ stream: true });

    if (reply.kind !== 'stream') throw new Error(reply.kind);
    for await (const group of reply.frames) if (group.length > 0) break;

    expect((await bench.upstream.waitForClose(0)).state).toBe('closed_by_peer');
  });

  it.each([
    ['html', { kind: 'malformed', what: 'not_json' }],
    ['half_json', { kind: 'malformed', what: 'not_json' }],
    ['empty', { kind: 'malformed', what: 'no_output' }],
    ['comments_only', { kind: 'malformed', what: 'no_output' }],
    ['done_only', { kind: 'malformed', what: 'no_output' }],
  ] as const)('is none: %s', async (form, signal) => {
    bench.upstream.enqueue({ kind: 'garbage', form });

    expect(await bench.frames()).toEqual([{ kind: 'failure', signal }]);
  });
});

describe('an unstreamed answer', () => {
  it('is folded from the stream', async () => {
    bench.upstream.enqueue({
      kind: 'answer',
      reasoning: 'hm',
      text: 'I look.',
      toolCalls: [
        { id: 'toolu_A', name: 'snow', arguments: '{"p": "Davos", "n": 12345678901234567890}' },
        { id: 'toolu_B', name: 'snow' },
      ],
      usage: {
        inputTokens: 40,
        cacheReadTokens: 10_000,
        cacheWriteTokens: 2_000,
        outputTokens: 100,
        reasoningTokens: 7,
      },
    });

    const outcome = await bench.whole();

    expect(outcome).toMatchObject({
      kind: 'answer',
      answer: {
        text: null,
        finishReason: 'tool_calls',
        usage: { inputTokens: 12_040, cachedInputTokens: 10_000, cacheWriteTokens: 2_000, outputTokens: 100 },
        outputChars: 52,
      },
    });
    expect(outcome.kind === 'answer' && outcome.answer.body).toEqual({
      id: expect.stringMatching(/^msg_/) as unknown,
      object: 'chat.completion',
      created: 1_790_000_000,
      model: 'claude-haiku-4-5-20251001',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'I look.',
            refusal: null,
            reasoning_content: 'hm',
            tool_calls: [
              {
                id: 'toolu_A',
                type: 'function',
                function: { name: 'snow', arguments: '{"p": "Davos", "n": 12345678901234567890}' },
              },
              { id: 'toolu_B', type: 'function', function: { name: 'snow', arguments: '{}' } },
            ],
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ],
      usage: {
        prompt_tokens: 12_040,
        completion_tokens: 100,
        total_tokens: 12_140,
        prompt_tokens_details: { cached_tokens: 10_000, cache_write_tokens: 2_000 },
        completion_tokens_details: { reasoning_tokens: 7 },
      },
      service_tier: 'default',
    });
  });

  it.each([
    ['an error event', { after: 1, by: 'error' }, { kind: 'provider_error', status: 200 }],
    ['a reset', { after: 1, by: 'reset' }, { kind: 'network' }],
    ['an early end', { after: 1, by: 'end' }, { kind: 'truncated' }],
  ] as const)('fails by %s', async (_name, interruption, signal) => {
    bench.upstream.enqueue({ kind: 'answer', text: 'one two three', interruption });

    expect(await bench.whole()).toMatchObject({ kind: 'failed', signal });
  });

  // The ledger said that nothing was used, and the provider's bill said otherwise.
  it('that breaks off tells what had come of it', async () => {
    const interruption = { after: 2, by: 'error' } as const;
    bench.upstream.enqueue({ kind: 'answer', text: 'one two three', interruption });
    const reply = await bench.send({});
    if (reply.kind !== 'whole') throw new Error(reply.kind);

    expect(await reply.read()).toMatchObject({
      kind: 'failed',
      signal: { kind: 'provider_error' },
      heard: { usage: { inputTokens: 1, outputTokens: 1, source: 'provider' }, outputChars: 7 },
    });
  });

  it('that is aborted is a failure, and its socket closed', async () => {
    bench.upstream.enqueue({
      kind: 'answer',
      text: 'one two three',
      interruption: { after: 1, by: 'stall' },
    });
    const abort = new AbortController();
    const reply = await bench.send({}, { abort: abort.signal });

    if (reply.kind !== 'whole') throw new Error(reply.kind);
    const reading = reply.read();
    await bench.upstream.waitForBytes(0, 1);
    abort.abort();

    expect(await reading).toMatchObject({
      kind: 'failed',
      signal: { kind: 'network', code: 'UND_ERR_ABORTED' },
    });
    expect((await bench.upstream.waitForClose(0)).state).toBe('closed_by_peer');
  });
});

describe('a whole message in place of the stream', () => {
  const json = (content: readonly JsonObject[]): string =>
    JSON.stringify({ id: 'msg_1', type: 'message', model: 'm', content, stop_reason: 'end_turn', usage: {} });
  const answer = (body: string): void =>
    bench.upstream.enqueue({ kind: 'raw', headers: { 'content-type': 'application/json' }, pieces: [body] });

  it('is understood for a streaming caller', async () => {
    answer(json([{ type: 'text', text: 'Hi' }]));

    const frames = await bench.frames();

    expect(deltasOf(frames)).toEqual([{ role: 'assistant', content: '' }, { content: 'Hi' }, {}]);
  });

  it('is understood for an unstreamed caller', async () => {
    answer(
      json([
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'Hi' },
      ]),
    );

    expect(await bench.whole()).toMatchObject({
      answer: {
        finishReason: 'stop',
        body: { choices: [{ message: { content: 'Hi', reasoning_content: 'hm' } }] },
      },
    });
  });

  it('may be an error', async () => {
    answer('{"type":"error","error":{"type":"api_error","message":"x"}}');

    expect(await bench.whole()).toMatchObject({
      kind: 'failed',
      signal: { kind: 'provider_error', status: 200, body: { error: { type: 'api_error' } } },
    });
  });
});

describe('an error answer', () => {
  it('is a signal with the body, the hints and the request id', async () => {
    bench.upstream.enqueue({ kind: 'status', status: 529, headers: { 'retry-after': '7' } });

    const reply = await bench.send({ seed: 1 });

    expect(reply).toEqual({
      kind: 'failed',
      head: { status: 529, upstreamRequestId: bench.upstream.received[0]?.requestId, quotaWaitMs: null },
      signal: {
        kind: 'provider_error',
        status: 529,
        body: {
          type: 'error',
          error: { type: 'overloaded_error', message: 'Overloaded' },
          request_id: bench.upstream.received[0]?.requestId,
        },
        hints: { retryAfter: '7', retryAfterMs: null, shouldRetry: 'true' },
      },
      ignoredParams: ['seed'],
    });
  });

  it('is sent once: the SDK makes no retries of its own', async () => {
    bench.upstream.setBehaviour({ kind: 'status', status: 500 });

    await bench.send({});

    expect(bench.upstream.received).toHaveLength(1);
  });

  it('never shows the key', async () => {
    const message = `invalid x-api-key ${CHANNEL_KEY}, given as ${CHANNEL_KEY.slice(0, 6)}…${CHANNEL_KEY.slice(-4)}`;
    bench.upstream.enqueue({ kind: 'status', status: 401, body: { type: 'error', error: { message } } });

    const reply = await bench.send({});

    expect(reply).toMatchObject({ signal: { kind: 'provider_error', status: 401 } });
    expect(JSON.stringify(reply)).not.toContain(CHANNEL_KEY.slice(-4));
  });

  it('is malformed when it is a redirect, which is not followed', async () => {
    bench.upstream.enqueue({ kind: 'status', status: 307, headers: { location: bench.upstream.baseUrl } });

    const reply = await bench.send({});

    expect(reply).toMatchObject({ signal: { kind: 'malformed', what: 'unexpected_status' } });
    expect(bench.upstream.received).toHaveLength(1);
  });

  it('is a network signal when nobody listens', async () => {
    const reply = await bench.send({}, { channel: { baseUrl: 'http://127.0.0.1:1' } });

    expect(reply).toMatchObject({
      kind: 'failed',
      head: null,
      signal: { kind: 'network', code: 'ECONNREFUSED' },
    });
  });

  it('is a network signal when the call is aborted before the headers', async () => {
    bench.upstream.enqueue({ kind: 'hang' });
    const abort = new AbortController();

    const sending = bench.send({}, { abort: abort.signal });
    await bench.upstream.waitForCalls(1);
    abort.abort();

    expect(await sending).toMatchObject({ kind: 'failed', head: null, signal: { kind: 'network' } });
    expect((await bench.upstream.waitForClose(0)).state).toBe('closed_by_peer');
  });
});
