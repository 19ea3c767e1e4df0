import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream';
import type { Frame } from '../../../../src/domain/stream/frame';
import { collect, ProviderBench, recorded, spokenText, STREAMED } from './provider-fixture';

type Expected = Readonly<{
  text: string;
  finish: string;
  /** Input and output tokens; null: none reported. */
  usage: readonly [number, number] | null;
  /** Name and argument text of every tool call, choice after choice. */
  calls?: readonly (readonly [string, string])[];
  /** Choices that the request asked for. */
  n?: number;
}>;

const add: readonly [string, string] = ['add', '{"a":2,"b":3}'];
const multiply: readonly [string, string] = ['multiply', '{"a":2,"b":3}'];

/** One row per dialect of WIRE §11. The values were read off the recordings by another program. */
const ANSWERS: readonly (readonly [string, Expected])[] = [
  ['openai/chat-stream-moderation', { text: 'Paris.', finish: 'stop', usage: [13, 11] }],
  [
    'openai/chat-stream-tool-call',
    { text: '', finish: 'tool_calls', usage: [57, 17], calls: [['llm_version', '']] },
  ],
  [
    'openai/chat-stream-n2-with-tools',
    {
      text: '',
      finish: 'tool_calls',
      usage: [85, 43],
      n: 2,
      calls: [
        ['get_current_weather', '{"location":"San Francisco, CA"}'],
        ['get_current_weather', '{"location":"San Francisco, CA","unit":"celsius"}'],
      ],
    },
  ],
  [
    'azure/chat-stream-model-router-filter-frames',
    { text: 'Capital of Denmark.', finish: 'stop', usage: [15, 78] },
  ],
  [
    'groq/chat-stream-tool-call-one-chunk',
    { text: '', finish: 'tool_calls', usage: [210, 15], calls: [['weather', '{}']] },
  ],
  [
    'groq/chat-stream-parallel-2-tool-calls',
    {
      text: "I'll perform both addition and multiplication on the numbers 2 and 3 for you.",
      finish: 'tool_calls',
      usage: [201, 58],
      calls: [add, multiply],
    },
  ],
  ['mistral/chat-stream-thinking-content-array', { text: '2 + 2 = 4', finish: 'stop', usage: [10, 46] }],
  [
    'mistral/chat-stream-tool-call',
    {
      text: '',
      finish: 'tool_calls',
      usage: [72, 14],
      calls: [['get_weather', '{"location": "New York City"}']],
    },
  ],
  [
    'deepseek/chat-stream-reasoning',
    { text: 'The product of 17 and 23 is 391.', finish: 'stop', usage: [17, 47] },
  ],
  ['xai/chat-stream-text', { text: 'Hello', finish: 'stop', usage: [12, 291] }],
  [
    'xai/chat-stream-parallel-2-tool-calls-cache-read',
    { text: '', finish: 'tool_calls', usage: [432, 204], calls: [add, multiply] },
  ],
  [
    'openrouter/chat-stream-parallel-2-tool-calls-sse-comments',
    { text: '', finish: 'tool_calls', usage: [109, 54], calls: [add, multiply] },
  ],
  ['openrouter/chat-stream-error-field-after-finish', { text: '', finish: 'length', usage: [43, 10] }],
  ['vercel-gateway/chat-stream-reasoning', { text: 'Olá!', finish: 'stop', usage: [19, 93] }],
  [
    'avian/chat-stream-parallel-2-tool-calls-reasoning-cache-read',
    {
      text: " I'll add and multiply 2 and 3 for you at the same time.   ",
      finish: 'tool_calls',
      usage: [154, 131],
      calls: [
        ['add', '{"a": 2, "b": 3}'],
        ['multiply', '{"a": 2, "b": 3}'],
      ],
    },
  ],
  [
    'zai/chat-stream-parallel-2-tool-calls-reasoning-cache-read',
    {
      text: "I'll both add and multiply the numbers 2 and 3 for you.",
      finish: 'tool_calls',
      usage: [275, 112],
      calls: [add, multiply],
    },
  ],
  ['moonshotai/chat-stream-text', { text: 'Hello!', finish: 'stop', usage: [9, 12] }],
  [
    'alibaba/chat-stream-tool-call',
    {
      text: '',
      finish: 'tool_calls',
      usage: [295, 22],
      calls: [['weather', '{"location": "San Francisco"}']],
    },
  ],
  [
    'perplexity/chat-stream-citations',
    { text: 'The current population of **[2][3]', finish: 'stop', usage: [10, 336] },
  ],
  ['perplexity/chat-stream-citations-crlf-no-done', { text: '1 2 3', finish: 'stop', usage: [8, 5] }],
  ['together/chat-stream-text', { text: '1, 2, 3, 4, 5.', finish: 'stop', usage: [41, 15] }],
  [
    'vllm/chat-stream-length',
    { text: '<|im_end|>doctor\n<|im_end|>supervisor\n<', finish: 'length', usage: null },
  ],
  ['crusoe-vllm/chat-stream-text', { text: '1, 2, 3, 4, 5', finish: 'stop', usage: [46, 14] }],
  ['llama-cpp/chat-stream-reasoning', { text: 'Olá!', finish: 'stop', usage: [84, 57] }],
  ['gpustack/chat-stream-reasoning-no-done', { text: '\n\n1, 2, 3.', finish: 'stop', usage: [15, 171] }],
  [
    'ollama/chat-stream-tool-call-reasoning',
    {
      text: '',
      finish: 'tool_calls',
      usage: [195, 140],
      calls: [['weather', '{"latitude":"52.5200","longitude":"13.4050"}']],
    },
  ],
  [
    'anthropic-compat/chat-stream-tool-index-starts-at-1',
    { text: 'Reading it.', finish: 'tool_calls', usage: null, calls: [['read_file', '{"path": "a.txt"}']] },
  ],
  [
    'edge/chat-stream-tool-call-empty-name',
    {
      text: '',
      finish: 'tool_calls',
      usage: [171, 14],
      calls: [['webSearchTool', '{"query": "current Berlin weather"}']],
    },
  ],
];

/** Streams that fail: what is handed up, and what had been said before. */
const FAILURES: readonly (readonly [string, string, object])[] = [
  ['openai/chat-stream-error-first-frame', '', { kind: 'provider_error', status: 200 }],
  ['openai/chat-stream-error-after-output', 'Hello', { kind: 'provider_error', status: 200 }],
  ['openai/chat-stream-cut-after-role', '', { kind: 'malformed', what: 'no_output' }],
  ['openai/chat-stream-cut-mid-event', 'Snow is', { kind: 'truncated' }],
  [
    'llama-cpp/chat-stream-200-error-first-frame',
    '',
    { kind: 'provider_error', body: { error: { code: 400 } } },
  ],
  [
    'groq/chat-stream-error-event-tool-use-failed',
    'maybe',
    { kind: 'provider_error', body: { error: { code: 'tool_use_failed', status_code: 400 } } },
  ],
  [
    'deepseek/chat-stream-insufficient-system-resource',
    '',
    { kind: 'failing_finish', finishReason: 'insufficient_system_resource' },
  ],
  ['edge/chat-stream-broken-sse', '', { kind: 'malformed', what: 'bad_frame' }],
  ['proxy/stream-200-html-maintenance', '', { kind: 'malformed', what: 'not_json' }],
  ['proxy/stream-200-no-bytes', '', { kind: 'malformed', what: 'no_output' }],
];

describe('recorded Chat Completions streams', () => {
  let bench: ProviderBench;

  beforeAll(async () => {
    bench = await ProviderBench.start();
  });

  afterAll(() => bench.stop());

  async function replay(id: string, n?: number): Promise<Frame[]> {
    const { status, headers, body } = recorded(id);
    bench.upstream.will({ status, headers, pieces: [body] });
    return collect(await bench.send(n === undefined ? STREAMED : { ...STREAMED, n }));
  }

  describe('read as an answer, which the official client can merge', () => {
    it.each(ANSWERS)('%s', async (id, expected) => {
      const frames = await replay(id, expected.n);

      expect(frames.at(-1)).toEqual({ kind: 'end' });
      expect(spokenText(frames)).toBe(expected.text);
      expect(lastUsage(frames)).toEqual(expected.usage);
      const completion = await merged(frames);
      expect(completion.choices).toHaveLength(expected.n ?? 1);
      for (const choice of completion.choices) expect(choice.finish_reason).toBe(expected.finish);
      const calls = completion.choices.flatMap((choice) => choice.message.tool_calls ?? []);
      expect(
        calls.map((call) => call.type === 'function' && [call.function.name, call.function.arguments]),
      ).toEqual(expected.calls ?? []);
      for (const call of calls) expect(call.id).toMatch(/^.+$/);
    });
  });

  describe('end in a failure', () => {
    it.each(FAILURES)('%s', async (id, text, signal) => {
      const frames = await replay(id);

      expect(spokenText(frames)).toBe(text);
      expect(frames.at(-1)).toMatchObject({ kind: 'failure', signal });
      expect(frames.filter((frame) => frame.kind !== 'chunk')).toHaveLength(1);
    });

    it('an error line of llama-box', async () => {
      const frames = await replay('gpustack/chat-stream-error-line-after-reasoning');

      expect(frames.at(-1)).toMatchObject({
        kind: 'failure',
        signal: {
          kind: 'provider_error',
          body: {
            error: {
              message: 'failed to decode, try again, increasing context size or reducing parallel',
            },
          },
        },
      });
    });
  });

  it('keeps the text of every chunk that needs no change', async () => {
    const body = recorded('openai/chat-stream-moderation').body.toString();

    const frames = await replay('openai/chat-stream-moderation');

    const texts = frames.flatMap((frame) => (frame.kind === 'chunk' ? [`data: ${frame.text}\n\n`] : []));
    expect(texts.join('')).toBe(body.replace('data: [DONE]\n\n', ''));
  });
});

/** What the official client makes of the frames. */
function merged(frames: readonly Frame[]): ReturnType<ChatCompletionStream['finalChatCompletion']> {
  const lines = frames.flatMap((frame) => (frame.kind === 'chunk' ? [`${frame.text}\n`] : []));
  const stream = new ReadableStream({
    start(controller) {
      for (const line of lines) controller.enqueue(new TextEncoder().encode(line));
      controller.close();
    },
  });
  return ChatCompletionStream.fromReadableStream(stream).finalChatCompletion();
}

function lastUsage(frames: readonly Frame[]): readonly (number | null)[] | null {
  const usages = frames.flatMap((frame) =>
    frame.kind === 'chunk' && frame.usage !== null ? [frame.usage] : [],
  );
  const last = usages.at(-1);
  return last === undefined ? null : [last.inputTokens, last.outputTokens];
}
