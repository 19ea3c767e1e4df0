import OpenAI from 'openai';
import { cutBytes, type Behaviour, type Interruption } from '../../../src/infra/simulator/behaviour';
import { FAULT_DESCRIPTIONS, FAULT_PRESETS, faultPreset } from '../../../src/infra/simulator/fault-preset';
import { SimulatedProvider } from '../../../src/infra/simulator/simulated-provider';
import type { ProviderWire } from '../../../src/infra/simulator/wire-format';
import { errorOf, headersOf, openCall, rawCall } from './raw-call';

const QUESTION = { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'a b c' }] };
const STREAM = { ...QUESTION, stream: true };
const WIRES: ProviderWire[] = ['openai', 'anthropic'];

describe.each(WIRES)('behaviours of %s', (wire) => {
  let provider: SimulatedProvider;

  beforeAll(async () => {
    provider = await SimulatedProvider.start({ wire, name: 'Firn' });
  });
  beforeEach(() => provider.reset());
  afterAll(() => provider.stop());

  const outputsIn = (text: string): number => text.match(/"(content|text)":"[^"]+"/g)?.length ?? 0;
  const streamWith = (interruption: Interruption) => {
    provider.enqueue({ kind: 'answer', interruption });
    return rawCall(provider, STREAM);
  };

  describe('status', () => {
    it.each([400, 401, 403, 404, 408, 413, 429, 500, 503, 529])(
      'sends its own error body with %i',
      async (status) => {
        provider.enqueue({ kind: 'status', status, headers: { 'retry-after': '2' } });
        const answer = await rawCall(provider, QUESTION);

        expect(answer).toMatchObject({ status, headers: { 'retry-after': '2' } });
        expect(errorOf(answer)).toMatchObject({ type: expect.any(String), message: expect.any(String) });
      },
    );

    it.each([502, 520, 522, 524, 525])('sends the page of a CDN with %i', async (status) => {
      provider.enqueue({ kind: 'status', status });
      const answer = await rawCall(provider, QUESTION);

      expect(answer).toMatchObject({ status, headers: { 'content-type': 'text/html' } });
      expect(answer.text).toContain('<html>');
    });

    it.each<[string, string | object, string]>([
      ['text', '', ''],
      ['JSON', { detail: 'no' }, '{"detail":"no"}'],
    ])('sends a scripted %s body as it is', async (_, body, text) => {
      provider.enqueue({ kind: 'status', status: 503, body } as Behaviour);

      expect((await rawCall(provider, QUESTION)).text).toBe(text);
    });

    it('never looks at the request', async () => {
      provider.enqueue({ kind: 'status', status: 503 });

      expect((await rawCall(provider, '{broken', { headers: {} })).status).toBe(503);
    });
  });

  describe('before headers', () => {
    it('hangs until the caller leaves', async () => {
      provider.enqueue({ kind: 'hang' });
      const call = openCall(provider, QUESTION).once('error', () => undefined);
      await provider.waitForCalls(1);
      call.destroy();

      expect(await provider.waitForClose(0)).toMatchObject({ state: 'closed_by_peer', bytesWritten: 0 });
      expect(provider.charges.calls).toEqual([]);
    });

    it('resets the socket', async () => {
      provider.enqueue({ kind: 'reset' });

      expect(await rawCall(provider, QUESTION)).toMatchObject({ status: 0, brokenBy: 'ECONNRESET' });
      expect(provider.received[0]?.state).toBe('closed_by_provider');
    });

    it('holds a call until it is released', async () => {
      provider.enqueue({ kind: 'answer', holdAt: 'before_headers' });
      const answer = rawCall(provider, QUESTION);
      const [held] = await provider.waitForCalls(1);
      expect(held?.state).toBe('open');
      provider.release();

      expect((await answer).status).toBe(200);
    });

    // A drill saw a cancelled call on the bill that had never got as far as its headers.
    it.each([
      ['whole', QUESTION],
      ['streamed', STREAM],
    ])('bills nothing to a caller who left before the headers: %s', async (_, question) => {
      provider.enqueue({ kind: 'answer', holdAt: 'before_headers' });
      const call = openCall(provider, question).once('error', () => undefined);
      await provider.waitForCalls(1);
      call.destroy();
      await provider.waitForClose(0);
      await new Promise(setImmediate);

      expect(provider.charges.calls).toEqual([]);
    });

    it('waits no longer than the caller does', async () => {
      provider.enqueue({ kind: 'answer', delayMs: 3_600_000 });
      const call = openCall(provider, QUESTION).once('error', () => undefined);
      await provider.waitForCalls(1);
      call.destroy();

      expect(await provider.waitForClose(0)).toMatchObject({ state: 'closed_by_peer' });
    });
  });

  describe('interrupted stream', () => {
    it('reports an error after the preamble, before any output', async () => {
      const { text, brokenBy } = await streamWith({ after: 'preamble', by: 'error' });

      expect(outputsIn(text)).toBe(0);
      expect(text).toContain(wire === 'openai' ? '"role":"assistant"' : 'event: ping');
      expect(text).toContain(wire === 'openai' ? 'server_is_overloaded' : 'event: error');
      expect(text).not.toMatch(/\[DONE\]|message_stop/);
      expect(brokenBy).toBeUndefined();
    });

    it('reports an error as the very first event, in the words of the script', async () => {
      const { text } = await streamWith({
        after: 'headers',
        by: 'error',
        error: { error: { type: 'busy' } },
      });

      expect(text.trimEnd().split('\n\n')).toHaveLength(1);
      expect(text).toContain('"error":{"type":"busy"}');
    });

    it.each<[Interruption['by'], string | undefined]>([
      ['error', undefined],
      ['end', undefined],
      ['reset', 'ECONNRESET'],
      ['close', 'ECONNRESET'],
    ])('breaks off by %s after two output chunks, which are billed', async (by, brokenBy) => {
      const answer = await streamWith({ after: 2, by });

      expect(answer.status).toBe(200);
      expect(answer.brokenBy).toBe(brokenBy);
      // A reset may overtake bytes on their way; every other end may not.
      if (by !== 'reset') expect(outputsIn(answer.text.replace(/.*"error".*/, ''))).toBe(2);
      expect(answer.text).not.toMatch(/\[DONE\]|message_stop/);
      expect(provider.charges.calls).toEqual([
        { callIndex: 0, inputTokens: 2, outputTokens: 4, extent: 'partial' },
      ]);
    });

    it('bills an error before any output only where the input was on the bill already', async () => {
      await streamWith({ after: 'preamble', by: 'error' });

      expect(provider.charges).toMatchObject({ inputTokens: wire === 'anthropic' ? 2 : 0, outputTokens: 0 });
    });

    it('bills the input of a stream that breaks before any output', async () => {
      await streamWith({ after: 'preamble', by: 'close' });

      expect(provider.charges).toMatchObject({ inputTokens: 2, outputTokens: 0 });
    });

    it.each<['stall' | 'pings', RegExp]>([
      ['stall', /./s],
      ['pings', wire === 'openai' ? /(: ping\n\n){3}/ : /(event: ping\ndata: {"type":"ping"}\n\n){3}/],
    ])('goes on with %s until the caller leaves', async (by, seen) => {
      provider.enqueue({ kind: 'answer', interruption: { after: 1, by, pingIntervalMs: 1 } });
      const call = openCall(provider, STREAM);
      const response = await headersOf(call);
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) {
        text += String(chunk);
        if (outputsIn(text) === 1 && seen.test(text)) break;
      }
      call.destroy();

      expect(await provider.waitForClose(0)).toMatchObject({ state: 'closed_by_peer' });
    });

    it('sends nothing after the headers when told to stall there', async () => {
      provider.enqueue({ kind: 'answer', interruption: { after: 'headers', by: 'stall' } });
      const call = openCall(provider, STREAM);
      const response = await headersOf(call);
      response.once('error', () => undefined);
      call.destroy();

      expect(response.statusCode).toBe(200);
      expect(await provider.waitForClose(0)).toMatchObject({ bytesWritten: 0, state: 'closed_by_peer' });
    });
  });

  describe('interrupted whole answer', () => {
    it('is cut in the middle of the body', async () => {
      provider.enqueue({ kind: 'answer', interruption: { after: 1, by: 'close' } });
      const answer = await rawCall(provider, QUESTION);

      expect(answer).toMatchObject({ status: 200, brokenBy: 'ECONNRESET' });
      expect(answer.text).toMatch(/^\{/);
      expect(() => JSON.parse(answer.text) as unknown).toThrow();
    });

    it('turns an error into the status of that error', async () => {
      provider.enqueue({ kind: 'answer', interruption: { after: 'preamble', by: 'error' } });

      expect((await rawCall(provider, QUESTION)).status).toBe(529);
    });
  });

  it.each<[string, RegExp]>([
    ['html', /^<!doctype html>/],
    ['half_json', /^\{[^}]*$/],
    ['non_json_event', /^data: upstream/],
    ['empty', /^$/],
    ['comments_only', /^(: .*\n\n)+$/],
    ['done_only', /^data: \[DONE\]\n\n$/],
  ])('answers 200 with garbage: %s', async (form, pattern) => {
    provider.enqueue({ kind: 'garbage', form } as Behaviour);
    const answer = await rawCall(provider, QUESTION);

    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(pattern);
  });

  describe('raw', () => {
    it('replays bytes unchanged, cut inside a character', async () => {
      const bytes = Buffer.from('data: {"t":"雪🌨"}\n\n');
      const everyOffset = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1);
      provider.enqueue({
        kind: 'raw',
        pieces: cutBytes(bytes, ...everyOffset),
        headers: { 'x-kept': ['1', '2'] },
      });
      const answer = await rawCall(provider, STREAM);

      expect(answer.text).toBe(bytes.toString());
      expect(answer.headers).toMatchObject({ 'x-kept': '1, 2', 'content-type': 'text/event-stream' });
    });

    it.each<['stall' | 'reset' | 'close', string]>([
      ['stall', 'closed_by_peer'],
      ['reset', 'closed_by_provider'],
      ['close', 'closed_by_provider'],
    ])('can %s behind the last piece', async (then, state) => {
      provider.enqueue({ kind: 'raw', status: 200, pieces: ['data: {"half"'], then });
      const call = openCall(provider, STREAM).once('error', () => undefined);
      const response = await headersOf(call);
      response.once('error', () => undefined);
      await provider.waitForBytes(0, 13);
      if (then === 'stall') call.destroy();

      expect(await provider.waitForClose(0)).toMatchObject({ state, bytesWritten: 13 });
    });
  });
});

describe('fault presets', () => {
  it('are JSON, and each has its line', () => {
    expect(JSON.parse(JSON.stringify(FAULT_PRESETS))).toEqual(FAULT_PRESETS);
    expect(Object.keys(FAULT_DESCRIPTIONS)).toEqual(Object.keys(FAULT_PRESETS));
  });

  it('are found by name only', () => {
    expect(faultPreset('down')).toEqual({ kind: 'status', status: 503 });
    expect(faultPreset('toString')).toBeUndefined();
  });
});

describe('recorded traffic', () => {
  it('reaches a real client byte for byte', async () => {
    const recorded = [
      'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"A"},"finish_reason":null}]}',
      'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
      'data: [DONE]',
    ].join('\n\n');
    const provider = await SimulatedProvider.start({ wire: 'openai', name: 'Firn' });
    provider.setBehaviour({ kind: 'raw', pieces: cutBytes(Buffer.from(`${recorded}\n\n`), 100) });
    const client = new OpenAI({ apiKey: 'k', baseURL: provider.baseUrl, maxRetries: 0 });

    const reasons: unknown[] = [];
    for await (const chunk of await client.chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: 'x' }],
      stream: true,
    })) {
      reasons.push(chunk.choices[0]?.finish_reason);
    }
    await provider.stop();

    expect(reasons).toEqual([null, 'stop']);
  });
});
