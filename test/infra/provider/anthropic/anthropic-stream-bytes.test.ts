import * as fc from 'fast-check';
import type { JsonObject } from '../../../../src/domain/kernel/json';
import {
  start,
  text,
  json,
  close,
  stop,
  end,
  ping,
  overloaded,
  emptyText,
  tool,
  run,
  kinds,
} from './message-events';
import { aStream, deltasOf, framesOf, readFixture, sse, wholeOf } from './read-fixture';

describe('an error event', () => {
  const failed = {
    kind: 'failure',
    signal: {
      kind: 'provider_error',
      status: 200,
      body: overloaded,
      hints: { retryAfter: null, retryAfterMs: null, shouldRetry: null },
    },
  };

  it.each([
    ['first', [overloaded], ['failure']],
    ['behind the preamble (B22)', [start(), ping, overloaded], ['neutral', 'failure']],
    ['behind an open block (B22)', [start(), emptyText, overloaded], ['neutral', 'failure']],
    [
      'behind output (B22)',
      [start(), emptyText, text(0, 'He'), overloaded],
      ['neutral', 'decisive', 'failure'],
    ],
    ['behind a stop reason without output', [start(), stop('end_turn'), overloaded], ['neutral', 'failure']],
  ] as const)('fails the stream %s', (_name, events, weights) => {
    const frames = run(...events);

    expect(kinds(frames)).toEqual(weights);
    expect(frames.at(-1)).toEqual(failed);
  });

  it('does not undo an answer that had its stop reason', () => {
    const frames = run(start(), emptyText, text(0, 'Hi'), close(0), stop('end_turn'), overloaded);

    expect(kinds(frames)).toEqual(['neutral', 'decisive', 'decisive', 'neutral', 'end']);
  });

  it.each([
    [
      'an unnamed object with an error',
      'data: {"error":{"message":"busy"}}\n\n',
      { error: { message: 'busy' } },
    ],
    ['an event of that name with other data', 'event: error\ndata: {"message":"x"}\n\n', { message: 'x' }],
    ['an event of that name with text', 'event: error\ndata: too busy\n\n', { error: 'too busy' }],
    ['a bare error line', 'error: {"message":"x"}\n\n', { message: 'x' }],
  ])('is recognised as %s', (_name, bytes, body) => {
    expect(framesOf(Buffer.from(bytes)).at(-1)).toMatchObject({ signal: { kind: 'provider_error', body } });
  });
});

describe('the bytes of a Messages stream', () => {
  it.each([
    ['comments', ': waiting\n\n:\n\n'],
    ['empty data', 'data:\n\n'],
    ['a keep-alive as data', 'data: : keepalive\n\n'],
    ['the terminator of the other wire', 'data: [DONE]\n\n'],
    ['an unknown event that is no JSON', 'event: future_thing\ndata: hello\n\n'],
  ])('may hold %s anywhere (B12)', (_name, junk) => {
    const events = [start(), emptyText, text(0, 'ok'), close(0), stop('end_turn'), end];
    const bytes = Buffer.concat(events.flatMap((event) => [Buffer.from(junk), sse(event)]));

    expect(framesOf(bytes)).toEqual(run(...events));
  });

  it('fail when a known event is no JSON', () => {
    const frames = framesOf(Buffer.from('event: content_block_delta\ndata: {"type":"conte\n\n'));

    expect(frames).toEqual([{ kind: 'failure', signal: { kind: 'malformed', what: 'bad_frame' } }]);
  });

  it('understand events without their name line', () => {
    const events = [start(), emptyText, text(0, 'ok'), close(0), stop('end_turn'), end];
    const bytes = Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join(''));

    expect(framesOf(bytes)).toEqual(run(...events));
  });

  it('give the same frames wherever the network cuts them (B10)', () => {
    const bytes = sse(
      start(),
      emptyText,
      text(0, '雪が降る🌨です'),
      close(0),
      tool(1, 'toolu_A'),
      json(1, '{"町":'),
      json(1, '"札幌"}'),
      close(1),
      stop('tool_use'),
      end,
    );
    const whole = framesOf(bytes);
    const everyByte = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1);

    expect(deltasOf(whole)[1]).toEqual({ content: '雪が降る🌨です' });
    expect(framesOf(bytes, everyByte)).toEqual(whole);
    for (const cut of everyByte) expect(framesOf(bytes, [cut])).toEqual(whole);
  });

  it.each([
    'anthropic/messages-stream-parallel-2-tool-calls',
    'anthropic/messages-stream-server-tool-use-citations-delta',
    'anthropic/messages-stream-sdk-refusal-mid-output',
    'anthropic/messages-stream-reasoning-axonhub',
    'anthropic/messages-stream-error-overloaded-after-text',
    'edge/messages-stream-tool-empty-args',
  ])('of %s give the same frames at random cuts', (name) => {
    const { bytes } = readFixture(name) as { bytes: Buffer };
    const whole = framesOf(bytes);

    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 12 }),
        (cuts) => {
          expect(
            framesOf(
              bytes,
              [...cuts].sort((a, b) => a - b),
            ),
          ).toEqual(whole);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('never make the translation throw, and always end it once', () => {
    const events = fc.array(
      fc.oneof(
        fc.jsonValue() as fc.Arbitrary<JsonObject>,
        fc.constantFrom(
          start(),
          emptyText,
          text(0, 'x'),
          tool(1, 't'),
          json(1, '{'),
          close(0),
          stop(null),
          end,
          overloaded,
        ),
        fc.record({
          type: fc.constantFrom(
            'message_start',
            'content_block_start',
            'content_block_delta',
            'message_delta',
          ),
          index: fc.jsonValue(),
          message: fc.jsonValue(),
          content_block: fc.jsonValue(),
          delta: fc.jsonValue(),
          usage: fc.jsonValue(),
        }) as fc.Arbitrary<JsonObject>,
      ),
    );

    fc.assert(
      fc.property(events, (list) => {
        const frames = framesOf(
          Buffer.from(list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')),
        );
        const endings = frames.filter((frame) => frame.kind !== 'chunk');
        expect(endings).toEqual([frames.at(-1)]);
      }),
    );
  });
});

describe('JSON although a stream was asked for', () => {
  it.each([
    ['nothing', '', { kind: 'malformed', what: 'empty_body' }],
    ['HTML', '<html>busy</html>', { kind: 'malformed', what: 'not_json' }],
    ['half an answer', '{"type":"message","con', { kind: 'malformed', what: 'not_json' }],
    ['a list', '[1]', { kind: 'malformed', what: 'not_an_object' }],
    ['no content', '{"type":"message","content":null}', { kind: 'malformed', what: 'no_choices' }],
    ['another type', '{"type":"completion","content":[]}', { kind: 'malformed', what: 'no_choices' }],
    ['an error', JSON.stringify(overloaded), { kind: 'provider_error', status: 200, body: overloaded }],
  ])('fails as %s', (_name, body, signal) => {
    expect(aStream().translateWhole(body)).toMatchObject([{ kind: 'failure', signal }]);
  });

  it('gives the frames of the stream that it would have been', () => {
    const frames = aStream().translateWhole(
      JSON.stringify({
        id: 'msg_1',
        type: 'message',
        model: 'claude-x',
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'tool_use', id: 'toolu_A', name: 'snow', input: { p: 'Chur' } },
        ],
        stop_reason: 'tool_use',
        usage: { input_tokens: 5, output_tokens: 9 },
      }),
    );

    expect(deltasOf(frames)).toEqual([
      { role: 'assistant', content: '' },
      { content: 'Hi' },
      {
        tool_calls: [
          { index: 0, id: 'toolu_A', type: 'function', function: { name: 'snow', arguments: '' } },
        ],
      },
      { tool_calls: [{ index: 0, function: { arguments: '{"p":"Chur"}' } }] },
      {},
    ]);
  });

  it('keeps integers above 2^53 of a whole answer', () => {
    const outcome = wholeOf({
      kind: 'json',
      text: '{"content":[{"type":"tool_use","id":"t","name":"n","input":{"x":90071992547409931234}}],"stop_reason":"tool_use"}',
    });

    expect(outcome).toMatchObject({
      answer: {
        body: {
          choices: [{ message: { tool_calls: [{ function: { arguments: '{"x":90071992547409931234}' } }] } }],
        },
      },
    });
  });
});
