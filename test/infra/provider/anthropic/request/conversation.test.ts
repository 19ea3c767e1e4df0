import type { ModelContract } from '../../../../../src/domain/catalog/model-contract';
import type { JsonObject, JsonValue } from '../../../../../src/domain/kernel/json';
import { conversationOf, failureOf, HAIKU_4_5, HELLO, notesOf, OPUS_4_8 } from '../claude-contract';
import { text, user, assistant, call, calling, result, use, outcome } from './history';

describe('roles', () => {
  it('puts leading system and developer messages on top, one block per part', () => {
    const messages = [
      { role: 'system', content: 'Be terse.' },
      { role: 'developer', content: [text('A'), text('B')] },
      HELLO,
    ];

    expect(conversationOf(messages)).toEqual({
      system: [text('Be terse.'), text('A'), text('B')],
      messages: [user(text('Hi'))],
    });
  });

  it('keeps text byte for byte', () => {
    expect(conversationOf([{ role: 'user', content: '  \u00e9 e\u0301 \n' }])).toEqual({
      messages: [user(text('  \u00e9 e\u0301 \n'))],
    });
  });

  it('accepts a leading assistant turn', () => {
    expect(conversationOf([{ role: 'assistant', content: 'Welcome!' }, HELLO])).toEqual({
      messages: [assistant(text('Welcome!')), user(text('Hi'))],
    });
  });

  it('reads text, refusal and calls of an assistant message, in this order', () => {
    const messages = [
      HELLO,
      {
        role: 'assistant',
        content: [text('A'), { type: 'refusal', refusal: 'No.' }],
        refusal: 'Really.',
        tool_calls: [call('t1', '{"p":1}')],
      },
      result('t1'),
    ];

    expect(conversationOf(messages)).toEqual({
      messages: [
        user(text('Hi')),
        assistant(text('A'), text('No.'), text('Really.'), use('t1', { p: 1 })),
        user(outcome('t1')),
      ],
    });
  });

  it('leaves reasoning and annotations of the history out silently, and notes names and unknown members', () => {
    const messages = [
      { role: 'user', content: 'Hi', name: 'ann' },
      {
        role: 'assistant',
        content: 'Yo',
        reasoning_content: 'hm',
        reasoning_details: [],
        annotations: [],
        custom: 1,
      },
      { role: 'user', content: 'Bye', name: 'ann' },
    ];

    expect(notesOf({ messages })).toEqual(['messages[].name', 'messages[].custom']);
  });

  it.each<[string, JsonValue, string]>([
    ['no list', 'x', 'reject messages'],
    ['an empty list', [], 'reject messages'],
    ['only blanks', [{ role: 'user', content: ' \n' }], 'reject messages'],
    ['only a system', [{ role: 'system', content: 'x' }], 'reject messages'],
    ['a text', ['hi'], 'reject messages[0]'],
    ['no role', [{ content: 'x' }], 'reject messages[0].role'],
    ['an unknown role', [{ role: 'constructor', content: 'x' }], 'reject messages[0].role'],
    ['a function', [{ role: 'function', name: 'f', content: 'x' }], 'gate messages[0].role'],
    ['no user content', [{ role: 'user', content: null }], 'reject messages[0].content'],
    ['a content of the wrong type', [HELLO, { role: 'system', content: 7 }], 'reject messages[1].content'],
    ['stored audio', [HELLO, { role: 'assistant', audio: { id: 'a' } }], 'gate messages[1].audio'],
    [
      'a function call',
      [HELLO, { role: 'assistant', function_call: { name: 'f' } }],
      'gate messages[1].function_call',
    ],
    [
      'a refusal part without text',
      [HELLO, { role: 'assistant', content: [{ type: 'refusal' }] }],
      'reject messages[1].content[0].refusal',
    ],
    [
      'tool calls of the wrong type',
      [HELLO, { role: 'assistant', tool_calls: {} }],
      'reject messages[1].tool_calls',
    ],
    ['a refusal of the wrong type', [HELLO, { role: 'assistant', refusal: 7 }], 'reject messages[1].refusal'],
  ])('fails for %s', (_name, messages, failure) => {
    expect(failureOf({ messages })).toBe(failure);
  });
});

describe('repair', () => {
  it('drops blank texts and the turns that have nothing else, and merges what then meets', () => {
    const messages = [
      { role: 'user', content: [text('A'), text(' ')] },
      { role: 'assistant', content: '' },
      { role: 'user', content: 'B' },
      { role: 'user', content: '\u3000' },
    ];

    expect(conversationOf(messages)).toEqual({ messages: [user(text('A'), text('B'))] });
  });

  it('leaves an empty system out', () => {
    expect(conversationOf([{ role: 'system', content: ' ' }, HELLO])).toEqual({
      messages: [user(text('Hi'))],
    });
  });

  it('appends blocks of one role without joining their texts', () => {
    const messages = [
      HELLO,
      { role: 'user', content: 'again' },
      { role: 'assistant', content: 'a' },
      { role: 'assistant', content: 'b' },
      HELLO,
    ];

    expect(conversationOf(messages)).toEqual({
      messages: [user(text('Hi'), text('again')), assistant(text('a'), text('b')), user(text('Hi'))],
    });
  });
});

describe('a prefill', () => {
  const messages = [HELLO, { role: 'assistant', content: 'Once upon \n' }];

  it('loses its trailing white space, noted, where the model continues it', () => {
    expect(conversationOf(messages, HAIKU_4_5)).toEqual({
      messages: [user(text('Hi')), assistant(text('Once upon'))],
    });
    expect(notesOf({ messages }, HAIKU_4_5)).toEqual(['messages[].content']);
  });

  it('is for another route where the model does not', () => {
    expect(failureOf({ messages })).toBe('gate messages');
  });

  it('goes with no schema', () => {
    const response_format = { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } };

    expect(failureOf({ messages, response_format }, HAIKU_4_5)).toBe('gate response_format');
  });
});

describe('cache breakpoints', () => {
  const mark = { prompt_cache_breakpoint: { type: 'default' } };
  const cached = { cache_control: { type: 'ephemeral' } };

  it('mark their block, and the last four win', () => {
    const messages = [
      { role: 'system', content: [{ ...text('s'), ...mark }] },
      {
        role: 'user',
        content: [
          { ...text('1'), ...mark },
          { ...text('2'), ...mark },
        ],
      },
      { role: 'assistant', content: [{ ...text('3'), ...mark }] },
      { role: 'user', content: [text('plain'), { ...text('4'), ...mark }] },
    ];

    expect(conversationOf(messages)).toEqual({
      system: [text('s')],
      messages: [
        user({ ...text('1'), ...cached }, { ...text('2'), ...cached }),
        assistant({ ...text('3'), ...cached }),
        user(text('plain'), { ...text('4'), ...cached }),
      ],
    });
  });

  it('inside a tool result mark the result', () => {
    const messages = [HELLO, calling(call('t1')), result('t1', [{ ...text('x'), ...mark }])];

    expect(conversationOf(messages)).toMatchObject({
      messages: [{}, {}, { content: [{ ...outcome('t1', [text('x')]), ...cached }] }],
    });
  });
});

describe('limits', () => {
  const image: JsonObject = { type: 'image_url', image_url: { url: 'https://x.test/a.png' } };
  const images = (count: number): JsonObject => ({
    role: 'user',
    content: Array.from({ length: count }, () => image),
  });

  it.each<[number, Partial<ModelContract>, string]>([
    [100, {}, 'ok'],
    [101, {}, 'gate messages'],
    [600, OPUS_4_8, 'ok'],
    [601, OPUS_4_8, 'gate messages'],
  ])('on %i images', (count, contract, expected) => {
    expect(failureOf({ messages: [images(count)] }, contract)).toBe(expected);
  });

  it('on messages', () => {
    const messages = Array.from({ length: 100_001 }, () => HELLO);

    expect(failureOf({ messages })).toBe('gate messages');
    expect(failureOf({ messages: messages.slice(1) })).toBe('ok');
  });
});
