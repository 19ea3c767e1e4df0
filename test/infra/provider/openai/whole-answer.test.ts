import { NO_USAGE } from '../../../../src/domain/interaction/usage';
import type { JsonObject } from '../../../../src/domain/kernel/json';
import type { ProviderReply, WholeOutcome } from '../../../../src/usecase/port/chat-provider';
import {
  content,
  DONE,
  event,
  EVENT_STREAM,
  finish,
  JSON_BODY,
  ProviderBench,
  recorded,
  WHOLE,
} from './provider-fixture';
import type { RawReply } from './raw-upstream';

const completion = (choice: JsonObject, members: JsonObject = {}): JsonObject => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, finish_reason: 'stop', ...choice }],
  ...members,
});

const says = (text: string): JsonObject => ({ message: { role: 'assistant', content: text } });
const failedWith = (what: string): object => ({ kind: 'failed', signal: { kind: 'malformed', what } });

describe('whole Chat Completions answer', () => {
  let bench: ProviderBench;

  beforeAll(async () => {
    bench = await ProviderBench.start();
  });

  afterAll(() => bench.stop());

  async function answer(reply: RawReply): Promise<WholeOutcome> {
    bench.upstream.will(reply);
    const sent = await bench.send(WHOLE);
    if (sent.kind !== 'whole') throw new Error(`expected a whole reply, got ${sent.kind}`);
    return sent.read();
  }

  const answerJson = (body: unknown): Promise<WholeOutcome> =>
    answer({ headers: JSON_BODY, pieces: [JSON.stringify(body)] });

  async function replay(id: string): Promise<ProviderReply> {
    const { status, headers, body } = recorded(id);
    bench.upstream.will({ status, headers, pieces: [body] });
    return bench.send(WHOLE);
  }

  async function replayAnswer(id: string): Promise<WholeOutcome> {
    const reply = await replay(id);
    if (reply.kind !== 'whole') throw new Error(`expected a whole reply, got ${reply.kind}`);
    return reply.read();
  }

  it('keeps its text where nothing has to change', async () => {
    const text =
      '{ "choices": [ {"index":0,"message":{"role":"assistant","content":"雪"},"finish_reason":"stop"} ], "x": 1 }';

    const outcome = await answer({ headers: JSON_BODY, pieces: ['\n\n', text, '\n'] });

    expect(outcome).toMatchObject({ kind: 'answer', answer: { text, finishReason: 'stop', outputChars: 1 } });
  });

  describe('is an answer', () => {
    it.each<[string, JsonObject, string]>([
      ['although it is empty', completion(says('')), 'stop'],
      ['although only reasoning was done', completion({ ...says(''), finish_reason: 'length' }), 'length'],
      [
        'although the filter took it',
        completion({ ...says(''), finish_reason: 'content_filter' }),
        'content_filter',
      ],
      ['without a finish reason', completion({ ...says('Hi'), finish_reason: null }), 'stop'],
      ['with the finish reason of a dialect', completion({ ...says('Hi'), finish_reason: 'eos' }), 'stop'],
      ['with usage that makes no sense', completion(says('Hi'), { usage: { prompt_tokens: 'x' } }), 'stop'],
    ])('%s', async (_name, body, finishReason) => {
      expect(await answerJson(body)).toMatchObject({ kind: 'answer', answer: { finishReason } });
    });

    it('with the tool calls that the official clients expect', async () => {
      const outcome = await answerJson(
        completion({
          message: {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: '', function: { name: 'f', arguments: {} } }],
          },
          finish_reason: null,
        }),
      );

      expect(outcome).toMatchObject({
        kind: 'answer',
        answer: {
          text: null,
          finishReason: 'tool_calls',
          body: {
            choices: [
              {
                finish_reason: 'tool_calls',
                message: {
                  tool_calls: [
                    {
                      id: expect.stringMatching(/^call_[0-9a-f]{24}$/),
                      type: 'function',
                      function: { name: 'f', arguments: '{}' },
                    },
                  ],
                },
              },
            ],
          },
        },
      });
    });

    it('where Azure leaves out the filtered message', async () => {
      expect(await replayAnswer('azure/chat-json-content-filter-finish-reason')).toMatchObject({
        kind: 'answer',
        answer: { finishReason: 'content_filter', body: { choices: [{ message: { content: null } }] } },
      });
    });

    it.each<[string, string, number, [number, number]]>([
      ['openai/chat-json-refusal-json-schema', 'stop', 53, [65, 13]],
      ['alibaba/chat-json-reasoning', 'stop', 5165, [24, 1668]],
      ['cerebras/chat-json-reasoning', 'stop', 94, [79, 37]],
      ['edge/chat-json-zero-completion-tokens', 'length', 0, [7, 1]],
      ['edge/chat-json-truncated-tool-call', 'length', 17, [20, 15]],
      ['gemini/chat-json-tool-call-without-id', 'tool_calls', 2, [35, 74]],
    ])('in the recording %s', async (id, finishReason, outputChars, [inputTokens, outputTokens]) => {
      expect(await replayAnswer(id)).toMatchObject({
        kind: 'answer',
        answer: { finishReason, outputChars, usage: { inputTokens, outputTokens } },
      });
    });
  });

  describe('is no answer', () => {
    it.each<[string, string, string]>([
      ['an empty body', '', 'empty_body'],
      ['a page', '<html><body>maintenance</body></html>', 'not_json'],
      ['text', 'upstream busy', 'not_json'],
      ['half JSON', '{"choices":[{"index":0,"mess', 'not_json'],
      ['a list', '[1]', 'not_an_object'],
      ['a string', '"hello"', 'not_an_object'],
      ['no choices', '{"id":"x"}', 'no_choices'],
      ['null for choices', '{"choices":null}', 'no_choices'],
      ['empty choices', '{"choices":[]}', 'no_choices'],
      [
        'a choice that says nothing and gives no reason',
        '{"choices":[{"index":0,"message":{"content":""}}]}',
        'no_output',
      ],
    ])('when it is %s', async (_name, text, what) => {
      expect(await answer({ headers: JSON_BODY, pieces: [text] })).toEqual(failedWith(what));
    });

    it.each<[string, object]>([
      ['proxy/json-200-empty-body', { kind: 'malformed', what: 'empty_body' }],
      ['edge/chat-json-unrelated-object', { kind: 'malformed', what: 'no_choices' }],
      [
        'azure/chat-json-200-error-content-filter',
        { kind: 'provider_error', status: 200, body: { error: { code: 'content_filter', status: 400 } } },
      ],
    ])('in the recording %s', async (id, signal) => {
      expect(await replayAnswer(id)).toMatchObject({ kind: 'failed', signal });
    });

    it.each<[string, unknown]>([
      ['an error beside choices', { ...completion(says('Hi')), error: { message: 'boom' } }],
      ['an error that is a string', { error: 'boom' }],
      ['an error in a list', [{ error: { message: 'boom' } }]],
      ['a flat error object', { object: 'error', message: 'boom' }],
    ])('when it has %s', async (_name, body) => {
      expect(await answerJson(body)).toMatchObject({
        kind: 'failed',
        signal: { kind: 'provider_error', status: 200, body: expect.anything() },
      });
    });

    it('when a choice ended in a failure', async () => {
      expect(await answerJson(completion({ ...says('Hi'), finish_reason: 'error' }))).toEqual({
        kind: 'failed',
        signal: { kind: 'failing_finish', finishReason: 'error' },
      });
    });

    it.each<['reset' | 'close']>([['reset'], ['close']])(
      'when the socket breaks in its body (%s)',
      async (then) => {
        expect(await answer({ headers: JSON_BODY, pieces: ['{"choices":['], then })).toMatchObject({
          kind: 'failed',
          signal: { kind: 'network', code: expect.stringMatching(/^(ECONNRESET|UND_ERR_SOCKET)$/) },
        });
      },
    );
  });

  describe('is folded from an event stream that nobody asked for', () => {
    it('with text, reasoning, tool calls and usage', async () => {
      const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
      const outcome = await answer({
        headers: EVENT_STREAM,
        pieces: [
          ': hi\n\n',
          event({ delta: { role: 'assistant', content: '' } }),
          content('雪が'),
          content('降る'),
          event({ delta: { reasoning_content: 'H' } }),
          event({ delta: { reasoning_content: 'm' } }),
          event({
            delta: {
              tool_calls: [
                { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{"a"' } },
              ],
            },
          }),
          event({ delta: { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] } }),
          finish('tool_calls'),
          `data: ${JSON.stringify({ id: 'chatcmpl-1', choices: [], usage })}\n\n`,
          DONE,
        ],
      });

      expect(outcome).toMatchObject({
        kind: 'answer',
        answer: {
          text: null,
          finishReason: 'tool_calls',
          usage: { inputTokens: 3, outputTokens: 4 },
          body: {
            id: 'chatcmpl-1',
            object: 'chat.completion',
            usage,
            choices: [
              {
                index: 0,
                finish_reason: 'tool_calls',
                message: {
                  role: 'assistant',
                  content: '雪が降る',
                  reasoning_content: 'Hm',
                  tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
                },
              },
            ],
          },
        },
      });
    });

    // Renumbered later deltas used to take the id away again: a caller could not answer the call.
    it('with the id of a call whose index had to be changed', async () => {
      const entry = { index: 1, id: 'a', type: 'function', function: { name: 'f', arguments: '' } };
      const outcome = await answer({
        headers: EVENT_STREAM,
        pieces: [
          event({ delta: { tool_calls: [entry] } }),
          event({ delta: { tool_calls: [{ index: 1, function: { arguments: '{}' } }] } }),
          finish('tool_calls'),
          DONE,
        ],
      });

      const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
      expect(outcome).toMatchObject({ answer: { body: { choices: [{ message: { tool_calls: [call] } }] } } });
    });

    // The official stream helper threw 'missing finish_reason', and a folded tool call said 'stop'.
    it.each([
      ['stop', { content: 'A' }],
      ['tool_calls', { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] }],
    ] as const)('with the finish reason %s where only the terminator came', async (finishReason, delta) => {
      const outcome = await answer({ headers: EVENT_STREAM, pieces: [event({ delta }), DONE] });

      expect(outcome).toMatchObject({
        answer: { finishReason, body: { choices: [{ index: 0, finish_reason: finishReason }] } },
      });
    });

    it('or fails as the stream does', async () => {
      expect(await answer({ headers: EVENT_STREAM, pieces: [content('A')] })).toEqual({
        kind: 'failed',
        signal: { kind: 'truncated' },
        heard: { usage: NO_USAGE, outputChars: 1 },
      });
    });
  });

  describe('did not come: the status says so', () => {
    it.each<[string, object]>([
      ['azure/error-400-content-filter', { status: 400, body: { error: { code: 'content_filter' } } }],
      ['azure/error-429-s0-tier-retry-after-day', { status: 429, hints: { retryAfter: '86400' } }],
      ['deepseek/chat-json-error-401-invalid-request-error', { status: 401 }],
      [
        'deepseek/error-402-insufficient-balance',
        { status: 402, body: { error: { message: 'Insufficient Balance' } } },
      ],
      ['gemini/error-429-array-body', { status: 429, body: [{ error: { status: 'RESOURCE_EXHAUSTED' } }] }],
      ['groq/error-413-request-too-large', { status: 413, body: { error: { code: 'rate_limit_exceeded' } } }],
      ['huggingface/error-503-model-loading', { status: 503, body: { estimated_time: 305.6863708496094 } }],
      ['mistral/chat-json-error-401', { status: 401, body: { detail: 'Invalid API Key' } }],
      ['mistral/error-429-rate-limited-1300', { status: 429, body: { object: 'error', code: '1300' } }],
      ['ollama/error-404-model-not-found', { status: 404 }],
      [
        'openai/chat-json-error-401-invalid-api-key',
        { status: 401, body: { error: { code: 'invalid_api_key' } } },
      ],
      [
        'openai/error-429-insufficient-quota',
        { status: 429, body: { error: { type: 'insufficient_quota' } } },
      ],
      [
        'openai/error-503-server-is-overloaded',
        { status: 503, body: { error: { code: 'server_is_overloaded' } } },
      ],
      ['openai/error-502-cloudflare-html', { status: 502, body: null }],
      [
        'openrouter/error-403-moderation',
        { status: 403, body: { error: { metadata: { reasons: ['violence'] } } } },
      ],
      ['openrouter/error-502-provider-down', { status: 502, body: { error: { code: 502 } } }],
      ['proxy/error-408-empty-body', { status: 408, body: null }],
      ['proxy/error-504-nginx-html', { status: 504, body: null }],
      ['together/error-503-overloaded', { status: 503 }],
      ['vllm/error-400-flat-object', { status: 400, body: { object: 'error' } }],
    ])('%s', async (id, signal) => {
      expect(await replay(id)).toMatchObject({
        kind: 'failed',
        head: { status: (signal as { status: number }).status },
        signal: { kind: 'provider_error', ...signal },
        ignoredParams: [],
      });
    });

    it('in an event stream, too', async () => {
      bench.upstream.will({
        status: 429,
        headers: { ...EVENT_STREAM, 'retry-after-ms': '250', 'x-should-retry': 'true' },
        pieces: ['event: error\n', 'data: {"error":{"code":"slow_down"}}\n\n'],
      });

      expect(await bench.send(WHOLE)).toMatchObject({
        kind: 'failed',
        signal: {
          status: 429,
          body: { error: { code: 'slow_down' } },
          hints: { retryAfter: null, retryAfterMs: '250', shouldRetry: 'true' },
        },
      });
    });

    it('with JSON under a foreign content type', async () => {
      bench.upstream.will({
        status: 500,
        headers: { 'content-type': 'application/octet-stream' },
        pieces: ['{"error":{"code":"x"}}'],
      });

      expect(await bench.send(WHOLE)).toMatchObject({
        signal: { status: 500, body: { error: { code: 'x' } } },
      });
    });

    it('even if its body breaks off or never ends', async () => {
      bench.upstream.will({ status: 503, headers: JSON_BODY, pieces: ['{"error":'], then: 'close' });
      const broken = await bench.send(WHOLE);
      bench.upstream.will({ status: 503, headers: JSON_BODY, pieces: ['x'.repeat(70_000)], then: 'silence' });
      const endless = await bench.send(WHOLE);

      expect(broken).toMatchObject({ signal: { kind: 'provider_error', status: 503, body: null } });
      expect(endless).toMatchObject({ signal: { kind: 'provider_error', status: 503, body: null } });
    });
  });
});
