import type { ChannelOptions } from '../../../../src/domain/catalog/channel';
import type { JsonObject } from '../../../../src/domain/kernel/json';
import {
  CHANNEL_KEY,
  collect,
  content,
  DONE,
  EVENT_STREAM,
  finish,
  JSON_BODY,
  ProviderBench,
  spokenText,
  STREAMED,
  WHOLE,
} from './provider-fixture';
import { RawUpstream } from './raw-upstream';

const ANSWER =
  '{"choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}';

function channelWith(options: Partial<ChannelOptions>): { options: ChannelOptions } {
  const plain = { headers: {}, organization: null, project: null, anthropicVersion: null } as const;
  return { options: { ...plain, anthropicAuth: 'x-api-key', ...options } };
}

describe('Chat Completions provider', () => {
  let bench: ProviderBench;

  beforeEach(async () => {
    bench = await ProviderBench.start();
    bench.upstream.will({ headers: JSON_BODY, pieces: [ANSWER] });
  });

  afterEach(() => bench.stop());

  const onlyRequest = (): { url: string; headers: Record<string, unknown>; body: JsonObject } => {
    expect(bench.upstream.requests).toHaveLength(1);
    const { url, headers, body } = bench.upstream.requests[0]!;
    return { url, headers, body: JSON.parse(body) as JsonObject };
  };

  describe('sends', () => {
    it('the caller’s body with the upstream’s model name, unknown fields included', async () => {
      await bench.send({ ...WHOLE, temperature: 0.5, future_field: { a: [1] }, schneeai: { x: 1 } });

      expect(onlyRequest()).toMatchObject({
        url: '/v1/chat/completions',
        body: {
          model: 'gpt-4o-mini-2024-07-18',
          messages: [{ role: 'user', content: 'Hi' }],
          temperature: 0.5,
          future_field: { a: [1] },
          schneeai: { x: 1 },
        },
      });
      expect(onlyRequest().body).not.toHaveProperty('stream_options');
    });

    it.each<[string, JsonObject, JsonObject]>([
      ['absent', {}, { include_usage: true }],
      ['null', { stream_options: null }, { include_usage: true }],
      ['false', { stream_options: { include_usage: false } }, { include_usage: true }],
      ['with others', { stream_options: { x: 1 } }, { x: 1, include_usage: true }],
    ])('a wish for usage with every stream (%s)', async (_name, extra, expected) => {
      bench.upstream.will({ headers: EVENT_STREAM, pieces: [content('A'), DONE] });

      await collect(await bench.send({ ...STREAMED, ...extra }));

      expect(onlyRequest().body.stream_options).toEqual(expected);
    });

    it('the body in the dialect of the upstream, and says what that left out', async () => {
      const contract = { tokenLimitField: 'max_tokens', streamOptions: false, strictBody: true } as const;
      bench.upstream.will({ headers: EVENT_STREAM, pieces: [content('A'), DONE] });

      const reply = await bench.send({ ...STREAMED, max_completion_tokens: 7, top_k: 3 }, { contract });

      expect(onlyRequest().body).toEqual({
        model: 'gpt-4o-mini-2024-07-18',
        messages: [{ role: 'user', content: 'Hi' }],
        stream: true,
        max_tokens: 7,
      });
      expect(reply.ignoredParams).toEqual(['top_k']);
    });

    it.each([
      ['a whole answer', WHOLE, { headers: JSON_BODY, pieces: [ANSWER] }, 'whole'],
      ['an error', WHOLE, { status: 500 }, 'failed'],
    ])('what it left out together with %s', async (_name, body, reply, kind) => {
      bench.upstream.will(reply);

      const sent = await bench.send({ ...body, top_k: 3 }, { contract: { strictBody: true } });

      expect(sent).toMatchObject({ kind, ignoredParams: ['top_k'] });
    });

    it('nothing where the policy rejects what would be left out', async () => {
      const rules = { contract: { strictBody: true }, unsupportedParams: 'reject' } as const;

      const reply = await bench.send({ ...WHOLE, top_k: 3 }, rules);

      expect(reply).toMatchObject({
        kind: 'failed',
        head: null,
        signal: { kind: 'local', cause: 'untranslatable', param: 'top_k' },
      });
      expect(bench.upstream.requests).toHaveLength(0);
    });

    it('one credential and the version as Azure wants them', async () => {
      const { options } = channelWith({ openAiAuth: 'api-key', apiVersion: '2024-10-21' });

      await bench.send(WHOLE, { channel: { options } });

      const { url, headers } = onlyRequest();
      expect(url).toBe('/v1/chat/completions?api-version=2024-10-21');
      expect(headers['api-key']).toBe(CHANNEL_KEY);
      expect(headers).not.toHaveProperty('authorization');
    });

    it('one credential however the channel spells its headers', async () => {
      const headers = { AUTHORIZATION: 'Bearer other', 'Api-Key': 'other', 'User-Agent': 'mine/1' };

      await bench.send(WHOLE, { channel: { options: channelWith({ headers }).options } });

      expect(onlyRequest().headers).toMatchObject({
        authorization: `Bearer ${CHANNEL_KEY}`,
        'user-agent': 'mine/1',
      });
      expect(onlyRequest().headers).not.toHaveProperty('api-key');
    });

    it('never changes what the caller gave', async () => {
      const body = { ...STREAMED, stream_options: { include_usage: false } };
      const before = JSON.stringify(body);

      await bench.send(body);

      expect(JSON.stringify(body)).toBe(before);
    });

    it('the headers of HEADERS §2', async () => {
      await bench.send(WHOLE, {
        channel: {
          options: {
            headers: { 'x-title': 'SchneeAI' },
            organization: 'org-1',
            project: 'proj-1',
            anthropicVersion: null,
            anthropicAuth: 'bearer',
          },
        },
      });

      const { headers } = onlyRequest();
      expect(headers).toMatchObject({
        authorization: `Bearer ${CHANNEL_KEY}`,
        accept: 'application/json',
        'accept-encoding': 'identity',
        'content-type': 'application/json',
        'user-agent': 'schneeai-gateway/1.2.3',
        'x-client-request-id': 'req_1-1',
        'openai-organization': 'org-1',
        'openai-project': 'proj-1',
        'x-title': 'SchneeAI',
        'x-stainless-retry-count': '0',
      });
      expect(headers).not.toHaveProperty('idempotency-key');
      expect(headers).not.toHaveProperty('x-stainless-timeout');
    });

    it('asks for an event stream where the caller wants one', async () => {
      await bench.send(STREAMED);

      expect(onlyRequest().headers.accept).toBe('text/event-stream');
    });

    it('nothing else than one request, however it fails', async () => {
      for (const status of [408, 409, 429, 500, 503]) {
        bench.upstream.will({ status, headers: { 'retry-after': '0', 'x-should-retry': 'true' } });
        await bench.send(WHOLE);
      }

      expect(bench.upstream.requests).toHaveLength(5);
    });
  });

  // B42: a key holder named another target in the body, and the gateway went there with the provider's key.
  it('takes no target, key or option from the body', async () => {
    const trap = await RawUpstream.start();
    const lures = {
      api_base: trap.baseUrl,
      base_url: trap.baseUrl,
      baseURL: trap.baseUrl,
      api_key: 'sk-other',
      extra_headers: { host: 'trap' },
      headers: { authorization: 'Bearer other' },
      organization: 'org-other',
      timeout: 1,
      max_retries: 9,
      maxRetries: 9,
      method: 'get',
      path: '/admin',
      query: { a: 1 },
      fetchOptions: { dispatcher: {} },
      defaultBaseURL: trap.baseUrl,
      idempotencyKey: 'x',
      __metadata: { streamFromBody: true },
      fallbacks: [{ model: 'x' }],
    };

    await bench.send({
      ...WHOLE,
      ...lures,
      metadata: lures,
      tools: [lures],
    });
    await trap.stop();

    const { url, headers, body } = onlyRequest();
    expect(trap.requests).toHaveLength(0);
    expect(url).toBe('/v1/chat/completions');
    expect(headers.authorization).toBe(`Bearer ${CHANNEL_KEY}`);
    expect(headers).not.toHaveProperty('openai-organization');
    expect(body).toMatchObject({ ...lures, model: 'gpt-4o-mini-2024-07-18' });
  });

  it('takes no target, key or account from the environment', async () => {
    const foreign = {
      OPENAI_API_KEY: 'sk-env',
      OPENAI_ADMIN_KEY: 'sk-admin',
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      OPENAI_ORG_ID: 'org-env',
      OPENAI_PROJECT_ID: 'proj-env',
      OPENAI_LOG: 'debug',
    };
    Object.assign(process.env, foreign);

    await bench.send(WHOLE);
    for (const name of Object.keys(foreign)) delete process.env[name];

    const { headers } = onlyRequest();
    expect(headers.authorization).toBe(`Bearer ${CHANNEL_KEY}`);
    expect(headers).not.toHaveProperty('openai-organization');
    expect(headers).not.toHaveProperty('openai-project');
  });

  it('keeps a member named __proto__ as data', async () => {
    await bench.send(JSON.parse('{"model":"auto","messages":[],"__proto__":{"stream":true}}') as JsonObject);

    expect(bench.upstream.requests[0]!.body).toContain('"__proto__":{"stream":true}');
  });

  describe('tells of the head', () => {
    it.each<[string, Record<string, string>, string | null]>([
      ['the request id of OpenAI', { 'x-request-id': 'req_a', 'cf-ray': 'ray' }, 'req_a'],
      ['the one of Azure', { 'apim-request-id': 'apim' }, 'apim'],
      ['the one of Mistral', { 'mistral-correlation-id': 'mc' }, 'mc'],
      ['the one of OpenRouter before the CDN’s', { 'cf-ray': 'ray', 'x-generation-id': 'gen' }, 'gen'],
      ['none', {}, null],
      ['none that can’t be printed', { 'x-request-id': 'a b' }, null],
    ])('%s', async (_name, headers, upstreamRequestId) => {
      bench.upstream.will({ headers: { ...JSON_BODY, ...headers }, pieces: [ANSWER] });

      expect(await bench.send(WHOLE)).toMatchObject({
        kind: 'whole',
        head: { status: 200, upstreamRequestId },
      });
    });
  });

  describe('hands up', () => {
    it('a redirect as it is, and never follows it', async () => {
      const trap = await RawUpstream.start();
      bench.upstream.will({ status: 307, headers: { location: `${trap.baseUrl}/chat/completions` } });

      const reply = await bench.send(WHOLE);
      await trap.stop();

      expect(trap.requests).toHaveLength(0);
      expect(reply).toMatchObject({
        kind: 'failed',
        head: { status: 307 },
        signal: { kind: 'malformed', what: 'unexpected_status' },
      });
    });

    it('a refused connection', async () => {
      const gone = await RawUpstream.start();
      await gone.stop();

      expect(await bench.send(WHOLE, { channel: { baseUrl: gone.baseUrl } })).toEqual({
        kind: 'failed',
        head: null,
        signal: { kind: 'network', code: 'ECONNREFUSED' },
        ignoredParams: [],
      });
    });

    it('a reset before the headers', async () => {
      const upstream = await RawUpstream.start({ silent: true });
      const pending = bench.send(WHOLE, { channel: { baseUrl: upstream.baseUrl } });
      while (upstream.requests.length === 0) await new Promise(setImmediate);
      await upstream.stop();

      expect(await pending).toMatchObject({
        kind: 'failed',
        head: null,
        signal: { kind: 'network', code: expect.stringMatching(/^(ECONNRESET|UND_ERR_SOCKET)$/) },
      });
    });

    it('a missing credential as ours, without a request', async () => {
      const reply = await bench.send(WHOLE, { channel: { credentialRef: 'env:NOT_THERE' } });

      expect(reply).toMatchObject({
        kind: 'failed',
        head: null,
        signal: { kind: 'local', cause: 'no_credential' },
      });
      expect(bench.upstream.requests).toHaveLength(0);
    });

    it.each<[string, JsonObject | null, string | undefined]>([
      ['a URL that is none', null, 'not a url'],
      ['a body that can’t be written', { ...WHOLE, big: 1n as unknown as number }, undefined],
    ])('%s as ours', async (_name, body, baseUrl) => {
      const reply = await bench.send(body ?? WHOLE, baseUrl === undefined ? {} : { channel: { baseUrl } });

      expect(reply).toMatchObject({
        kind: 'failed',
        head: null,
        signal: { kind: 'local', cause: 'defect', param: null },
      });
      expect(bench.upstream.requests).toHaveLength(0);
    });

    it('a header that can’t be sent as ours', async () => {
      const options = {
        headers: { 'x-title': 'a\nb' },
        organization: null,
        project: null,
        anthropicVersion: null,
        anthropicAuth: 'bearer' as const,
      };

      expect(await bench.send(WHOLE, { channel: { options } })).toMatchObject({
        kind: 'failed',
        signal: { kind: 'local' },
      });
    });

    // B47: providers repeat the key that they refuse, whole or masked.
    it.each<[string, string]>([
      ['whole', `Incorrect API key provided: ${CHANNEL_KEY}.`],
      ['masked', 'Incorrect API key provided: sk-canar***********b6a3.'],
      ['masked shortly', 'Incorrect API key provided: sk-…b6a3.'],
      ['as a header', `You sent {"authorization":"Bearer ${CHANNEL_KEY}"}`],
    ])('an error without the key of the channel (%s)', async (_name, message) => {
      bench.upstream.will({
        status: 401,
        headers: JSON_BODY,
        pieces: [JSON.stringify({ error: { message, code: 'invalid_api_key' } })],
      });

      const told = JSON.stringify(await bench.send(WHOLE));

      expect(told).toContain('[redacted]');
      expect(told).toContain('invalid_api_key');
      expect(told).not.toContain('canar');
      expect(told).not.toContain('b6a3');
    });
  });

  describe('when the call is aborted', () => {
    const until = async (ready: () => boolean): Promise<void> => {
      while (!ready()) await new Promise(setImmediate);
    };

    it('before it began, sends nothing', async () => {
      const reply = await bench.send(WHOLE, { abort: AbortSignal.abort() });

      expect(reply).toMatchObject({ kind: 'failed', head: null });
      expect(bench.upstream.requests).toHaveLength(0);
    });

    it('before the headers, closes the socket and resolves', async () => {
      bench.upstream.will({ silent: true });
      const abort = new AbortController();
      const pending = bench.send(WHOLE, { abort: abort.signal });
      await until(() => bench.upstream.requests.length === 1);

      abort.abort();

      expect(await pending).toMatchObject({ kind: 'failed', head: null });
      await bench.upstream.requests[0]!.closed;
    });

    it('in a stream, ends the frames without a last one and closes the socket', async () => {
      bench.upstream.will({ headers: EVENT_STREAM, pieces: [content('A')], then: 'silence' });
      const abort = new AbortController();
      const reply = await bench.send(STREAMED, { abort: abort.signal });
      if (reply.kind !== 'stream') throw new Error('expected a stream');
      const groups = [];

      for await (const group of reply.frames) {
        groups.push(group);
        abort.abort();
      }

      expect(spokenText(groups.flat())).toBe('A');
      expect(groups.flat().every((frame) => frame.kind === 'chunk')).toBe(true);
      await bench.upstream.requests[0]!.closed;
    });

    it('while the stream is silent, wakes the reader', async () => {
      bench.upstream.will({ headers: EVENT_STREAM, then: 'silence' });
      const abort = new AbortController();
      const reply = await bench.send(STREAMED, { abort: abort.signal });
      const pending = collect(reply);

      abort.abort();

      expect(await pending).toEqual([]);
      await bench.upstream.requests[0]!.closed;
    });

    it('in a whole body, resolves and closes the socket', async () => {
      bench.upstream.will({ headers: JSON_BODY, pieces: ['{"choices"'], then: 'silence' });
      const abort = new AbortController();
      const reply = await bench.send(WHOLE, { abort: abort.signal });
      if (reply.kind !== 'whole') throw new Error('expected a whole reply');
      const pending = reply.read();

      abort.abort();

      expect(await pending).toMatchObject({ kind: 'failed' });
      await bench.upstream.requests[0]!.closed;
    });
  });

  it('closes the socket of a stream that nobody reads on', async () => {
    bench.upstream.will({ headers: EVENT_STREAM, pieces: [content('A')], then: 'silence' });
    const reply = await bench.send(STREAMED);
    if (reply.kind !== 'stream') throw new Error('expected a stream');

    for await (const _group of reply.frames) break;

    await bench.upstream.requests[0]!.closed;
  });

  it('uses a socket again after a complete stream', async () => {
    bench.upstream.will({ headers: EVENT_STREAM, pieces: [content('A'), finish('stop'), DONE] });

    for (let round = 0; round < 5; round++) await collect(await bench.send(STREAMED));

    expect(bench.upstream.requests).toHaveLength(5);
    // The terminator of a body may arrive after [DONE], when the next request has already opened a second one.
    expect(bench.upstream.connections).toBeLessThanOrEqual(2);
  });

  // B32: silent streams used up the connections, and the whole gateway stood still.
  it('serves a request beside 30 silent streams', async () => {
    bench.upstream.will({ headers: EVENT_STREAM, pieces: [content('A')], then: 'silence' });
    const abort = new AbortController();
    await Promise.all(Array.from({ length: 30 }, () => bench.send(STREAMED, { abort: abort.signal })));
    bench.upstream.will({ headers: JSON_BODY, pieces: [ANSWER] });

    const reply = await bench.send(WHOLE);
    abort.abort();

    expect(reply).toMatchObject({ kind: 'whole', head: { status: 200 } });
    await Promise.all(bench.upstream.requests.slice(0, 30).map((request) => request.closed));
  });
});
