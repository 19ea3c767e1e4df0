import type { JsonObject } from '../../../../../src/domain/kernel/json';
import { conversationOf, failureOf, HELLO, translate } from '../claude-contract';
import { text, user, assistant, call, calling, result, use, outcome } from './history';

describe('tool results', () => {
  it('go into the one next user turn, in the order of the calls, before its text (B01)', () => {
    const messages = [
      { role: 'user', content: 'Snow depth in Davos and Zermatt?' },
      calling(call('t1', '{"p":"Davos"}'), call('t2', '{"p":"Zermatt"}')),
      result('t2', '31 cm'),
      result('t1', '12 cm'),
      { role: 'user', content: 'Which one is deeper?' },
    ];

    expect(conversationOf(messages)).toEqual({
      messages: [
        user(text('Snow depth in Davos and Zermatt?')),
        assistant(use('t1', { p: 'Davos' }), use('t2', { p: 'Zermatt' })),
        user(outcome('t1', '12 cm'), outcome('t2', '31 cm'), text('Which one is deeper?')),
      ],
    });
  });

  it('go before user text that came first, and after calls of two assistant messages', () => {
    const messages = [
      HELLO,
      calling(call('t1')),
      calling(call('t2')),
      { role: 'user', content: 'Wait.' },
      result('t2'),
      result('t1'),
    ];

    expect(conversationOf(messages)).toEqual({
      messages: [
        user(text('Hi')),
        assistant(use('t1'), use('t2')),
        user(outcome('t1'), outcome('t2'), text('Wait.')),
      ],
    });
  });

  it.each<[string, JsonObject[string], JsonObject]>([
    ['text', '12 cm', { content: '12 cm' }],
    ['nothing', '', {}],
    ['null', null, {}],
    ['blanks', ' \n', {}],
    ['parts', [text('a'), text(''), text('b')], { content: [text('a'), text('b')] }],
    ['no parts', [], {}],
  ])('have %s as content', (_name, content, members) => {
    const messages = [HELLO, calling(call('t1')), result('t1', content)];

    expect(conversationOf(messages)).toEqual({
      messages: [
        user(text('Hi')),
        assistant(use('t1')),
        user({ type: 'tool_result', tool_use_id: 't1', ...members }),
      ],
    });
  });

  it.each<[string, readonly JsonObject[], string]>([
    [
      'a call without a result',
      [HELLO, calling(call('t1'), call('t2')), result('t1'), HELLO],
      'reject messages[1].tool_calls[1].id',
    ],
    ['an open call at the end', [HELLO, calling(call('t1'))], 'reject messages[1].tool_calls[0].id'],
    ['a result without a call', [HELLO, result('t9')], 'reject messages[1].tool_call_id'],
    [
      'a result of an earlier turn',
      [HELLO, calling(call('t1')), result('t1'), calling(call('t2')), result('t2'), result('t1')],
      'reject messages[5].tool_call_id',
    ],
    [
      'two results for a call',
      [HELLO, calling(call('t1')), result('t1'), result('t1')],
      'reject messages[3].tool_call_id',
    ],
    [
      'one id for two calls',
      [HELLO, calling(call('t1'), call('t1')), result('t1')],
      'reject messages[1].tool_calls[1].id',
    ],
    ['an empty id', [HELLO, calling(call(''))], 'reject messages[1].tool_calls[0].id'],
    ['no id in a result', [HELLO, { role: 'tool', content: 'x' }], 'reject messages[1].tool_call_id'],
  ])('fail for %s', (_name, messages, failure) => {
    expect(failureOf({ messages })).toBe(failure);
  });

  it('may use an id again in a later turn', () => {
    const messages = [HELLO, calling(call('t1')), result('t1', 'a'), calling(call('t1')), result('t1', 'b')];

    expect(conversationOf(messages)).toEqual({
      messages: [
        user(text('Hi')),
        assistant(use('t1')),
        user(outcome('t1', 'a')),
        assistant(use('t1')),
        user(outcome('t1', 'b')),
      ],
    });
  });
});

describe('tool calls', () => {
  it.each<[string, string | null, JsonObject]>([
    ['empty', '', {}],
    ['absent', null, {}],
    ['an empty object', '{}', {}],
    ['an object', '{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
  ])('have arguments that are %s', (_name, args, input) => {
    expect(conversationOf([HELLO, calling(call('t1', args)), result('t1')])).toMatchObject({
      messages: [{}, { content: [use('t1', input)] }, {}],
    });
  });

  it('keep a property named __proto__ and integers above 2^53', () => {
    const args = '{"__proto__":{"x":12345678901234567890},"n":-9007199254740993}';
    const translated = translate({ messages: [HELLO, calling(call('t1', args)), result('t1')] });

    expect(translated.ok && JSON.stringify(translated.value.body)).toContain(`"input":${args}`);
  });

  it.each<[string, JsonObject, string]>([
    ['arguments that are no JSON', call('t1', '{"a":'), 'gate messages[1].tool_calls[0].function.arguments'],
    ['arguments that are a list', call('t1', '[1]'), 'gate messages[1].tool_calls[0].function.arguments'],
    [
      'arguments too deep to print',
      call('t1', `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`),
      'gate messages[1].tool_calls[0].function.arguments',
    ],
    [
      'arguments of the wrong type',
      { ...call('t1'), function: { name: 'snow', arguments: {} } },
      'reject messages[1].tool_calls[0].function.arguments',
    ],
    ['a wrong name', call('t1', '{}', 'a b'), 'reject messages[1].tool_calls[0].function.name'],
    [
      'a custom call',
      { id: 't1', type: 'custom', custom: { name: 'x', input: '' } },
      'gate messages[1].tool_calls[0].type',
    ],
    ['no object', 'x' as unknown as JsonObject, 'reject messages[1].tool_calls[0]'],
  ])('fail for %s', (_name, wrong, failure) => {
    expect(failureOf({ messages: [HELLO, calling(wrong), result('t1')] })).toBe(failure);
  });

  it('get an accepted id, the same in call and result and in every request', () => {
    const id = 'functions.snow:0';
    const mapped = 'call_3ikssnd3h24m2cmkq6qvxtaav4rmrkfdleps27ejwhsphujtbmqa';
    const turns = conversationOf([HELLO, calling(call(id)), result(id)]).messages as readonly JsonObject[];

    const [used] = turns[1]?.content as readonly JsonObject[];
    const [answered] = turns[2]?.content as readonly JsonObject[];
    expect(used?.id).toMatch(/^call_[a-z2-7]{52}$/);
    expect(answered?.tool_use_id).toBe(used?.id);
    expect(used?.id).toBe(mapped);
  });
});
