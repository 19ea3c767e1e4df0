import type { JsonObject } from '../../../../src/domain/kernel/json';
import type { Frame } from '../../../../src/domain/stream/frame';
import {
  start,
  open,
  delta,
  text,
  json,
  close,
  stop,
  end,
  ping,
  emptyText,
  tool,
  run,
  kinds,
} from './message-events';
import { chunksOf, deltasOf, framesOf, readFixture, sse } from './read-fixture';

describe('a Messages stream', () => {
  it('becomes chunks with one head, then usage, then the end', () => {
    const frames = run(start(), ping, emptyText, text(0, 'Hi'), close(0), stop('end_turn'), end);

    const head = { id: 'msg_1', object: 'chat.completion.chunk', created: 1_790_000_000, model: 'claude-x' };
    expect(chunksOf(frames)).toEqual([
      { ...head, choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] },
      { ...head, choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: null }] },
      { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      {
        ...head,
        choices: [],
        usage: {
          prompt_tokens: 5,
          completion_tokens: 9,
          total_tokens: 14,
          prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        },
      },
    ]);
    expect(kinds(frames)).toEqual(['neutral', 'decisive', 'decisive', 'neutral', 'end']);
  });

  it('writes the text of a frame as the JSON of its chunk, and counts its characters', () => {
    const [, said] = run(start(), emptyText, text(0, 'Grüße 🌨'), stop('end_turn'), end);

    expect(said).toMatchObject({ kind: 'chunk', outputChars: 8, finishReason: null, sideEffects: false });
    expect(said?.kind === 'chunk' && JSON.parse(said.text)).toMatchObject({
      choices: [{ delta: { content: 'Grüße 🌨' } }],
    });
  });

  it.each([
    ['ping', [ping]],
    ['an unknown event', [{ type: 'future_thing', x: 1 }]],
    ['an empty text block', [emptyText]],
    ['an empty thinking block', [open(0, { type: 'thinking', thinking: '', signature: '' })]],
    ['redacted thinking', [open(0, { type: 'redacted_thinking', data: 'abc' })]],
    ['an empty text delta', [emptyText, text(0, '')]],
    [
      'a signature',
      [open(0, { type: 'thinking', thinking: '' }), delta(0, { type: 'signature_delta', signature: 's' })],
    ],
    ['a citation', [emptyText, delta(0, { type: 'citations_delta', citation: { type: 'char_location' } })]],
    ['an unknown delta', [emptyText, delta(0, { type: 'future_delta', text: 'x' })]],
    ['an unknown block with deltas', [open(0, { type: 'compaction' }), text(0, 'hidden')]],
    ['a fallback block', [open(0, { type: 'fallback', to: { model: 'm' } })]],
    ['the end of a text block', [emptyText, close(0)]],
  ] as const)('says nothing for %s', (_name, events) => {
    const frames = run(start(), ...events);

    expect(kinds(frames)).toEqual(['neutral', 'failure']);
    expect(frames.at(-1)).toEqual({ kind: 'failure', signal: { kind: 'malformed', what: 'no_output' } });
  });

  it.each([
    ['text in a start event', [open(0, { type: 'text', text: 'Hi' })], { content: 'Hi' }],
    [
      'thinking in a start event',
      [open(0, { type: 'thinking', thinking: 'Hm' })],
      { reasoning_content: 'Hm' },
    ],
    [
      'a thinking delta',
      [open(0, { type: 'thinking', thinking: '' }), delta(0, { type: 'thinking_delta', thinking: 'Hm' })],
      { reasoning_content: 'Hm' },
    ],
    [
      'the start of a tool call',
      [tool(3, 'toolu_A')],
      {
        tool_calls: [
          { index: 0, id: 'toolu_A', type: 'function', function: { name: 'snow', arguments: '' } },
        ],
      },
    ],
    ['a text delta without a block', [text(0, 'Hi')], { content: 'Hi' }],
  ] as const)('is decisive with %s', (_name, events, said) => {
    const frames = run(start(), ...events, stop('end_turn'), end);

    expect(kinds(frames).slice(0, 2)).toEqual(['neutral', 'decisive']);
    expect(deltasOf(frames)[1]).toEqual(said);
  });

  it('marks the start of a provider-side tool as decisive and as a side effect, and everything after it', () => {
    const frames = run(
      start(),
      open(0, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
      json(0, '{"query":"x"}'),
      close(0),
      open(1, { type: 'web_search_tool_result', content: [] }),
      emptyText,
      text(0, 'Hi'),
      stop('end_turn'),
      end,
    );

    expect(frames.flatMap((frame) => (frame.kind === 'chunk' ? [frame.sideEffects] : []))).toEqual([
      false,
      true,
      true,
      true,
      true,
    ]);
    expect(deltasOf(frames)).toEqual([{ role: 'assistant', content: '' }, {}, { content: 'Hi' }, {}]);
  });

  it('reports what was counted so far on the first frame, so that a caller who leaves is not free', () => {
    const [first] = run(
      start({ input_tokens: 80, cache_read_input_tokens: 500, output_tokens: 2 }),
      text(0, 'a'),
    );

    expect(first).toMatchObject({ usage: { inputTokens: 580, cachedInputTokens: 500, outputTokens: 2 } });
  });
});

describe('tool calls of a Messages stream (B15)', () => {
  const thinkingAndText = [
    open(0, { type: 'thinking', thinking: '' }),
    delta(0, { type: 'thinking_delta', thinking: 'two places' }),
    close(0),
    open(1, { type: 'text', text: '' }),
    text(1, 'I look.'),
    close(1),
  ];
  const merged = (frames: readonly Frame[]): JsonObject[] => {
    const calls: { id: unknown; args: string }[] = [];
    for (const said of deltasOf(frames)) {
      for (const call of (said.tool_calls ?? []) as readonly JsonObject[]) {
        const at = call.index as number;
        calls[at] ??= { id: call.id, args: '' };
        calls[at].args += (call.function as JsonObject).arguments as string;
      }
    }
    return calls as JsonObject[];
  };
  const expected = [
    { id: 'toolu_A', args: '{"p":"Davos"}' },
    { id: 'toolu_B', args: '{"p":"Chur"}' },
  ];

  it.each([
    [
      'one after the other',
      [
        ...thinkingAndText,
        ...[tool(2, 'toolu_A'), json(2, '{"p'), json(2, '":"Da'), json(2, 'vos"}'), close(2)],
        ...[tool(3, 'toolu_B'), json(3, '{"p":'), json(3, '"Chur"}'), close(3)],
      ],
    ],
    [
      'interleaved',
      [
        ...thinkingAndText,
        ...[tool(2, 'toolu_A'), tool(3, 'toolu_B'), json(3, '{"p":'), json(2, '{"p'), json(2, '":"Da')],
        ...[json(3, '"Chur"}'), json(2, 'vos"}'), close(3), close(2)],
      ],
    ],
    [
      'before the text',
      [
        ...[tool(0, 'toolu_A'), json(0, '{"p":"Davos"}'), close(0), open(1, { type: 'text', text: '' })],
        ...[text(1, 'later'), close(1), tool(2, 'toolu_B'), json(2, '{"p":"Chur"}'), close(2)],
      ],
    ],
  ] as const)('have indexes 0 and 1 when they come %s', (_name, events) => {
    const frames = run(start(), ...events, stop('tool_use'), end);

    expect(merged(frames)).toEqual(expected);
    expect(chunksOf(frames).at(-2)).toMatchObject({ choices: [{ delta: {}, finish_reason: 'tool_calls' }] });
  });

  it('carry id, type and name in the first chunk only', () => {
    const frames = run(start(), tool(4, 'toolu_A'), json(4, '{}'), close(4), stop('tool_use'), end);

    expect(deltasOf(frames).slice(1, 3)).toEqual([
      {
        tool_calls: [
          { index: 0, id: 'toolu_A', type: 'function', function: { name: 'snow', arguments: '' } },
        ],
      },
      { tool_calls: [{ index: 0, function: { arguments: '{}' } }] },
    ]);
  });

  it.each([
    ['empty', {}, '{}'],
    ['filled', { p: 'Chur' }, '{"p":"Chur"}'],
  ] as const)(
    'take an %s input of the start event as the arguments when none follow',
    (_name, input, args) => {
      const frames = run(start(), tool(0, 'toolu_A', input), json(0, ''), close(0), stop('tool_use'), end);

      expect(merged(frames)).toEqual([{ id: 'toolu_A', args }]);
    },
  );

  it('never take that input together with deltas', () => {
    const frames = run(
      start(),
      tool(0, 'toolu_A', { p: 'x' }),
      json(0, '{"p":"y"}'),
      close(0),
      stop('tool_use'),
      end,
    );

    expect(merged(frames)).toEqual([{ id: 'toolu_A', args: '{"p":"y"}' }]);
  });

  it('keep integers above 2^53 digit for digit', () => {
    const bytes = Buffer.concat([
      sse(start()),
      Buffer.from(
        'data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"snow","input":{"n":12345678901234567890}}}\n\n',
      ),
      sse(close(0), stop('tool_use'), end),
    ]);

    expect(merged(framesOf(bytes))).toEqual([{ id: 't', args: '{"n":12345678901234567890}' }]);
  });

  it('fail the stream when arguments come for a call that nobody named', () => {
    const frames = run(start(), json(7, '{"p":1}'));

    expect(frames.at(-1)).toEqual({ kind: 'failure', signal: { kind: 'malformed', what: 'bad_frame' } });
  });
});

describe('the end of a Messages stream', () => {
  const said = [start(), emptyText, text(0, 'Hi'), close(0)];
  const called = [start(), tool(0, 'toolu_A'), json(0, '{}'), close(0)];
  const finishOf = (frames: readonly Frame[]): unknown =>
    frames.flatMap((frame) =>
      frame.kind === 'chunk' && frame.finishReason !== null ? [frame.finishReason] : [],
    );

  it.each([
    ['end_turn', said, 'stop'],
    ['stop_sequence', said, 'stop'],
    ['max_tokens', said, 'length'],
    ['model_context_window_exceeded', said, 'length'],
    ['tool_use', called, 'tool_calls'],
    ['refusal', said, 'content_filter'],
    ['compaction', said, 'stop'],
    ['something_new', said, 'stop'],
    [null, said, 'stop'],
    [null, called, 'tool_calls'],
    ['tool_use', said, 'stop'],
    ['end_turn', called, 'tool_calls'],
    ['end_turn', [start()], 'stop'],
    ['max_tokens', called, 'length'],
  ] as const)('with the stop reason %s', (reason, events, finish) => {
    const frames = run(...events, stop(reason), end);

    expect(finishOf(frames)).toEqual([finish]);
    expect(frames.at(-1)).toEqual({ kind: 'end' });
  });

  it('puts the refusal in a chunk before the finish', () => {
    const frames = run(
      ...said,
      {
        type: 'message_delta',
        delta: {
          stop_reason: 'refusal',
          stop_details: { type: 'refusal', category: 'bio', explanation: 'No.' },
        },
        usage: { output_tokens: 3 },
      },
      end,
    );

    expect(deltasOf(frames).slice(-2)).toEqual([{ refusal: 'No.' }, {}]);
  });

  it('lets the last of several stop reasons count', () => {
    const frames = run(...said, stop('end_turn'), stop('max_tokens'), end);

    expect(finishOf(frames)).toEqual(['length']);
  });

  it('is complete when only message_stop is missing', () => {
    const frames = run(...said, stop('end_turn'));

    expect(kinds(frames)).toEqual(['neutral', 'decisive', 'decisive', 'neutral', 'end']);
  });

  it.each([
    ['after nothing', [], { kind: 'malformed', what: 'no_output' }],
    ['after the preamble', [start(), ping, emptyText], { kind: 'malformed', what: 'no_output' }],
    ['after output', [start(), emptyText, text(0, 'Hi')], { kind: 'truncated' }],
  ] as const)('is a failure %s', (_name, events, signal) => {
    expect(run(...events).at(-1)).toEqual({ kind: 'failure', signal });
  });

  it.each([
    ['with no output and no reason', [start(), end], { kind: 'malformed', what: 'no_output' }],
    ['inside a block and with no reason', [start(), emptyText, text(0, 'Hi'), end], { kind: 'truncated' }],
    ['paused', [...said, stop('pause_turn'), end], { kind: 'side_effects_unknown', detail: 'pause_turn' }],
    [
      'in another answer',
      [...said, { ...start(), message: { id: 'msg_2' } }],
      { kind: 'malformed', what: 'spliced_stream' },
    ],
    ['with a delta before any start', [text(0, 'Hi')], { kind: 'malformed', what: 'bad_frame' }],
  ] as const)('is a failure %s', (_name, events, signal) => {
    expect(run(...events).at(-1)).toEqual({ kind: 'failure', signal });
  });

  it('ignores the same message_start coming twice', () => {
    const frames = framesOf(
      (readFixture('anthropic/messages-stream-duplicate-message-start') as { bytes: Buffer }).bytes,
    );

    expect(deltasOf(frames)).toEqual([{ role: 'assistant', content: '' }, { content: 'Hello, World!' }, {}]);
  });
});
