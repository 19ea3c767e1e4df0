import type { JsonObject } from '../../../../src/domain/kernel/json';
import type { Frame } from '../../../../src/domain/stream/frame';
import {
  CHANNEL_KEY,
  chunk,
  collect,
  content,
  deltas,
  DONE,
  event,
  finish,
  JSON_BODY,
  ProviderBench,
  spokenText,
  STREAMED,
} from './provider-fixture';

const END = { kind: 'end' };
const sse = (value: JsonObject): string => `data: ${JSON.stringify(value)}\n\n`;
const malformed = (what: string): object => ({ kind: 'failure', signal: { kind: 'malformed', what } });
const weights = (frames: readonly Frame[]): string[] =>
  frames.flatMap((frame) => (frame.kind === 'chunk' ? [frame.weight] : []));

/** A tool call delta as an event. */
function call(entry: JsonObject): string {
  return event({ delta: { tool_calls: [entry] }, finish_reason: null });
}

describe('Chat Completions stream', () => {
  let bench: ProviderBench;

  beforeAll(async () => {
    bench = await ProviderBench.start();
  });

  afterAll(() => bench.stop());

  describe('weighs a chunk by what it says', () => {
    it.each<[string, JsonObject, 'decisive' | 'neutral', number]>([
      ['only a role', { delta: { role: 'assistant' } }, 'neutral', 0],
      ['empty content', { delta: { content: '' } }, 'neutral', 0],
      ['null content and refusal', { delta: { content: null, refusal: null } }, 'neutral', 0],
      ['no tool calls', { delta: { tool_calls: [] } }, 'neutral', 0],
      ['only padding', { delta: {}, obfuscation: 'xyz' }, 'neutral', 0],
      ['content', { delta: { content: 'Hé' } }, 'decisive', 2],
      ['content in parts', { delta: { content: [{ type: 'text', text: 'Hi' }] } }, 'decisive', 2],
      ['empty content in parts', { delta: { content: [{ type: 'text', text: '' }] } }, 'neutral', 0],
      ['a refusal', { delta: { refusal: 'No.' } }, 'decisive', 3],
      ['reasoning', { delta: { reasoning: 'Hm' } }, 'decisive', 2],
      ['reasoning_content', { delta: { reasoning_content: 'Hm' } }, 'decisive', 2],
      ['the same reasoning twice', { delta: { reasoning: 'Hm', reasoning_content: 'Hm' } }, 'decisive', 2],
      ['reasoning details', { delta: { reasoning_details: [{ text: 'Hm' }] } }, 'decisive', 2],
      [
        'encrypted reasoning',
        { delta: { reasoning_details: [{ type: 'reasoning.encrypted', data: 'abc' }] } },
        'neutral',
        0,
      ],
      [
        'the start of a tool call',
        { delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '' } }] } },
        'decisive',
        0,
      ],
      [
        'tool arguments',
        { delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{"a":1}' } }] } },
        'decisive',
        7,
      ],
      ['a legacy function call', { delta: { function_call: { name: 'f' } } }, 'decisive', 0],
      ['sound', { delta: { audio: { data: 'AAAA' } } }, 'decisive', 0],
      ['a picture', { delta: { images: [{ image_url: {} }] } }, 'decisive', 0],
      ['a proper end', { delta: {}, finish_reason: 'stop' }, 'decisive', 0],
    ])('%s', async (_name, choice, weight, chars) => {
      const [first] = await bench.frames([event(choice)]);

      expect(first).toMatchObject({ kind: 'chunk', weight, outputChars: chars });
    });

    it.each<[string, JsonObject]>([
      ['filter results', { choices: [], prompt_filter_results: [] }],
      ['usage only', { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }],
      ['no choices member', { object: 'chat.completion.chunk' }],
    ])('%s is neutral', async (_name, members) => {
      const [first] = await bench.frames([sse(members)]);

      expect(first).toMatchObject({ kind: 'chunk', weight: 'neutral', finishReason: null });
    });
  });

  describe('ends', () => {
    it.each<[string, string[], object]>([
      ['at the terminator', [content('A'), finish('stop'), DONE], END],
      ['at the terminator without a finish reason', [content('A'), DONE], END],
      ['at the end of the body behind every finish reason', [content('A'), finish('stop')], END],
      ['at a terminator without its line end', [content('A'), 'data: [DONE]'], END],
      [
        'with an empty answer that has a reason',
        [event({ delta: { role: 'assistant' } }), finish('stop')],
        END,
      ],
      [
        'although an error follows the finish reason',
        [content('A'), finish('length'), sse({ error: {} })],
        END,
      ],
      ['although garbage follows the finish reason', [content('A'), finish('stop'), 'data: what\n\n'], END],
      ['in a truncation after output', [content('A')], { kind: 'failure', signal: { kind: 'truncated' } }],
      [
        'in a truncation inside an event',
        [content('A'), content('B').slice(0, 30)],
        { kind: 'failure', signal: { kind: 'truncated' } },
      ],
      ['without output at a lone terminator', [DONE], malformed('no_output')],
      [
        'without output after a role',
        [event({ delta: { role: 'assistant', content: '' } })],
        malformed('no_output'),
      ],
      [
        'without output after a role and the terminator',
        [event({ delta: { role: 'assistant' } }), DONE],
        malformed('no_output'),
      ],
      ['without output after comments', [': waiting\n\n', ':\n\n'], malformed('no_output')],
      ['without output when there was nothing', [], malformed('no_output')],
      [
        'at data that is not JSON',
        [content('A'), 'data: oops\n\n', content('B'), DONE],
        malformed('bad_frame'),
      ],
      [
        'at a failing finish reason',
        [content('A'), finish('error'), DONE],
        { kind: 'failure', signal: { kind: 'failing_finish', finishReason: 'error' } },
      ],
    ])('%s', async (_name, pieces, last) => {
      const frames = await bench.frames(pieces);

      expect(frames.at(-1)).toEqual(last);
      expect(frames.filter((frame) => frame.kind !== 'chunk')).toHaveLength(1);
    });

    it('with an error behind the finish reason of one choice only', async () => {
      bench.upstream.will({ pieces: [finish('stop'), sse({ error: { message: 'late' } })] });

      const frames = await collect(await bench.send({ ...STREAMED, n: 2 }));

      expect(frames.at(-1)).toMatchObject({ kind: 'failure', signal: { kind: 'provider_error' } });
    });

    it('in a network signal when the socket breaks after output', async () => {
      const frames = await bench.frames([content('A')], { then: 'reset' });

      expect(spokenText(frames)).toBe('A');
      expect(frames.at(-1)).toEqual({
        kind: 'failure',
        signal: { kind: 'network', code: expect.stringMatching(/^(ECONNRESET|UND_ERR_SOCKET)$/) },
      });
    });

    it('properly when the socket breaks behind the finish reason', async () => {
      const frames = await bench.frames([content('A'), finish('stop')], { then: 'reset' });

      expect(frames.at(-1)).toEqual(END);
    });
  });

  describe('takes as an error', () => {
    const boom = { message: 'boom', code: 'server_error' };

    it.each<[string, string, object]>([
      ['a chunk with an error member', sse({ error: boom }), { error: boom }],
      [
        'a chunk with an error beside choices',
        sse({ ...chunk({ delta: {} }), error: boom }),
        { error: boom },
      ],
      ['an event named error', `event: error\ndata: ${JSON.stringify({ error: boom })}\n\n`, { error: boom }],
      ['an event named error that is text', 'event: error\ndata: overloaded\n\n', { error: 'overloaded' }],
      [
        'an object that says so',
        sse({ object: 'error', message: 'boom' }),
        { object: 'error', message: 'boom' },
      ],
      ['a bare error line', `error: ${JSON.stringify({ error: boom })}\n\n`, { error: boom }],
    ])('%s', async (_name, text, body) => {
      const frames = await bench.frames([text, content('never'), DONE]);

      expect(frames).toHaveLength(1);
      expect(frames[0]).toMatchObject({
        kind: 'failure',
        signal: { kind: 'provider_error', status: 200, body },
      });
    });

    it('a list around the error, as Gemini sends it', async () => {
      const frames = await bench.frames([`data: ${JSON.stringify([{ error: boom }])}\n\n`]);

      expect(frames).toMatchObject([
        { kind: 'failure', signal: { kind: 'provider_error', body: [{ error: boom }] } },
      ]);
    });

    it('without telling the key of the channel', async () => {
      const frames = await bench.frames([sse({ error: { message: `bad key ${CHANNEL_KEY}` } })]);

      expect(JSON.stringify(frames)).not.toContain(CHANNEL_KEY);
    });
  });

  describe('keeps out what is no chunk (B12)', () => {
    it('comments, pings and keep-alives in the shape of data', async () => {
      const junk = [
        ': waiting\n\n',
        ':\n',
        'data: : keepalive\n\n',
        'data:\n\n',
        'event: ping\ndata: {}\n\n',
        'event: future_thing\ndata: what\n\n',
      ];

      const frames = await bench.frames([...junk, content('ok'), ...junk, finish('stop'), ...junk, DONE]);

      expect(weights(frames)).toEqual(['decisive', 'decisive']);
      expect(spokenText(frames)).toBe('ok');
      expect(frames.at(-1)).toEqual(END);
    });

    it('but reports them as activity', async () => {
      bench.activity = 0;

      await bench.frames([': one\n\n', ': two\n\n', content('ok'), DONE]);

      expect(bench.activity).toBeGreaterThanOrEqual(2);
    });
  });

  describe('joins characters however the network cut them (B10)', () => {
    const bytes = Buffer.from(
      content('雪が降る🌨です') +
        call({ index: 0, id: 'c', function: { name: 'f', arguments: '{"町":"札幌"}' } }) +
        finish('stop') +
        DONE,
    );

    it('at every offset', async () => {
      for (let cut = 1; cut < bytes.length; cut++) {
        const frames = await bench.frames([bytes.subarray(0, cut), bytes.subarray(cut)]);

        expect(spokenText(frames)).toBe('雪が降る🌨です');
        expect(frames.at(-1)).toEqual(END);
        expect(JSON.stringify(frames)).not.toContain('\uFFFD');
      }
    });

    it('with one byte per write', async () => {
      const frames = await bench.frames([...bytes].map((byte) => Uint8Array.of(byte)));

      expect(spokenText(frames)).toBe('雪が降る🌨です');
      expect(deltas(frames)[1]).toMatchObject({ tool_calls: [{ function: { arguments: '{"町":"札幌"}' } }] });
    });

    it('and goes on after invalid bytes', async () => {
      const [before, after] = content('A#B').split('#') as [string, string];

      const frames = await bench.frames([
        before,
        Uint8Array.of(0xff, 0xfe),
        after,
        content('C'),
        finish('stop'),
        DONE,
      ]);

      expect(spokenText(frames)).toBe('A\uFFFD\uFFFDBC');
      expect(frames.at(-1)).toEqual(END);
    });
  });

  describe('hands tool calls on as the official clients merge them (B15)', () => {
    const toolCalls = async (...entries: JsonObject[]): Promise<unknown[]> =>
      deltas(await bench.frames([...entries.map(call), finish('tool_calls'), DONE])).flatMap(
        (delta) => (delta.tool_calls as unknown[] | undefined) ?? [],
      );

    it('unchanged when they are standard', async () => {
      const entries = [
        { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } },
        { index: 0, function: { arguments: '{}' } },
        { index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } },
      ];

      expect(await toolCalls(...entries)).toEqual(entries);
    });

    it('with indexes from 0, in order of appearance, interleaved ones too', async () => {
      const calls = await toolCalls(
        { index: 2, id: 'a', type: 'function', function: { name: 'f', arguments: '' } },
        { index: 5, id: 'b', type: 'function', function: { name: 'g', arguments: '' } },
        { index: 2, function: { arguments: '{"a":' } },
        { index: 5, function: { arguments: '{}' } },
        { index: 2, function: { arguments: '1}' } },
      );

      expect(calls.map((entry) => (entry as JsonObject).index)).toEqual([0, 1, 0, 1, 0]);
    });

    it('with an index where it was missing', async () => {
      expect(
        await toolCalls(
          { id: 'a', type: 'function', function: { name: 'f', arguments: '{' } },
          { function: { arguments: '}' } },
          { id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } },
        ),
      ).toEqual([
        { id: 'a', type: 'function', function: { name: 'f', arguments: '{' }, index: 0 },
        { function: { arguments: '}' }, index: 0 },
        { id: 'b', type: 'function', function: { name: 'g', arguments: '{}' }, index: 1 },
      ]);
    });

    it('apart when all of them came with the same index', async () => {
      const calls = await toolCalls(
        { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } },
        { index: 0, id: 'b', type: 'function', function: { name: 'f', arguments: '{}' } },
      );

      expect(calls.map((entry) => (entry as JsonObject).index)).toEqual([0, 1]);
    });

    it('without empty ids and names that would overwrite the first', async () => {
      expect(
        await toolCalls(
          { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } },
          { index: 0, id: '', type: 'function', function: { name: '', arguments: '{}' } },
          { index: 0, id: null, function: { name: null, arguments: '' } },
        ),
      ).toEqual([
        { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } },
        { index: 0, type: 'function', function: { arguments: '{}' } },
        { index: 0, function: { arguments: '' } },
      ]);
    });

    it('with a minted id where none came, and arguments as text', async () => {
      expect(await toolCalls({ index: 0, function: { name: 'f', arguments: { a: 1 } } })).toEqual([
        {
          index: 0,
          id: expect.stringMatching(/^call_[0-9a-f]{24}$/),
          type: 'function',
          function: { name: 'f', arguments: '{"a":1}' },
        },
      ]);
    });
  });

  describe('gives the standard form to', () => {
    it.each<[string, string, string]>([
      ['eos', 'eos', 'stop'],
      ['end_turn', 'end_turn', 'stop'],
      ['max_tokens', 'max_tokens', 'length'],
      ['model_length', 'model_length', 'length'],
      ['an unknown reason', 'tired', 'stop'],
    ])('the finish reason %s', async (_name, raw, expected) => {
      const frames = await bench.frames([content('A'), finish(raw), DONE]);

      expect(frames[1]).toMatchObject({
        finishReason: expected,
        chunk: { choices: [{ finish_reason: expected }] },
        text: expect.stringContaining(`"finish_reason":"${expected}"`),
      });
    });

    it('thinking parts, which become reasoning', async () => {
      const parts = [
        { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
        { type: 'text', text: 'Yes' },
      ];

      const frames = await bench.frames([event({ delta: { content: parts } }), finish('stop'), DONE]);

      expect(deltas(frames)[0]).toEqual({ role: 'assistant', content: 'Yes', reasoning_content: 'Hm' });
    });

    it('an id that changes within one answer', async () => {
      const frames = await bench.frames([
        content('A'),
        event({ delta: { content: 'B' } }, { id: 'other' }),
        DONE,
      ]);

      expect(frames[1]).toMatchObject({ chunk: { id: 'chatcmpl-1' } });
    });
  });

  it('reports usage from wherever it stands', async () => {
    const groq = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };

    const frames = await bench.frames([
      content('A'),
      event({ delta: {}, finish_reason: 'stop' }, { x_groq: { usage: groq } }),
      DONE,
    ]);

    expect(frames[1]).toMatchObject({ usage: { inputTokens: 5, outputTokens: 7, source: 'provider' } });
  });

  describe('reads JSON that came although a stream was asked for', () => {
    const send = async (body: JsonObject): Promise<Frame[]> => {
      bench.upstream.will({ headers: JSON_BODY, pieces: [JSON.stringify(body)] });
      return collect(await bench.send(STREAMED));
    };

    it('as one chunk and the end', async () => {
      const message = { role: 'assistant', content: 'Hello' };
      const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };

      const frames = await send({
        id: 'x',
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage,
      });

      expect(frames).toHaveLength(2);
      expect(frames[0]).toMatchObject({
        kind: 'chunk',
        weight: 'decisive',
        finishReason: 'stop',
        chunk: { object: 'chat.completion.chunk', choices: [{ index: 0, delta: message }] },
        usage: { inputTokens: 1, outputTokens: 2 },
      });
      expect(frames[1]).toEqual(END);
    });

    it('as the failure that it is', async () => {
      const frames = await send({ error: { message: 'no', code: 'server_error' } });

      expect(frames).toMatchObject([
        {
          kind: 'failure',
          signal: { kind: 'provider_error', status: 200, body: { error: { code: 'server_error' } } },
        },
      ]);
    });
  });
});
