import { parseChatRequest } from '../../../src/delivery/chat/chat-request-parser';

const MESSAGES = [{ role: 'user', content: 'Hello' }];

const parsed = (fields: object) => parseChatRequest({ model: 'gpt-s', messages: MESSAGES, ...fields });

const faultOf = (body: unknown) => {
  const result = parseChatRequest(body);
  return result.ok ? null : result.error;
};

type Row = readonly [field: string, valid: readonly unknown[], invalid: readonly unknown[], message: string];

const FIELD_ROWS: readonly Row[] = [
  ['stream', [true, false], ['true', 1, 0, {}], "'stream' must be true or false."],
  ['stream_options', [{}, { include_usage: 1 }], [[], 'x', true], "'stream_options' must be an object."],
  [
    'max_tokens',
    [1, 9_007_199_254_740_991],
    [0, -1, 1.5, '5', Infinity, true],
    "'max_tokens' must be a whole number of at least 1.",
  ],
  [
    'max_completion_tokens',
    [1, 70_000],
    [0, 0.1, '1', []],
    "'max_completion_tokens' must be a whole number of at least 1.",
  ],
  ['n', [1, 128], [0, 129, 1.5, '1'], "'n' must be a whole number from 1 to 128."],
  ['temperature', [0, 1.3, 2], [-0.01, 2.01, '1', NaN], "'temperature' must be a number from 0 to 2."],
  ['top_p', [0, 0.5, 1], [-0.1, 1.1, '0.5'], "'top_p' must be a number from 0 to 1."],
  ['frequency_penalty', [-2, 0, 2], [-2.1, 2.1, '0'], "'frequency_penalty' must be a number from -2 to 2."],
  ['presence_penalty', [-2, 2], [-3, 3, false], "'presence_penalty' must be a number from -2 to 2."],
  ['logprobs', [true, false], ['yes', 1], "'logprobs' must be true or false."],
  ['top_logprobs', [0, 20], [-1, 21, 0.5], "'top_logprobs' must be a whole number from 0 to 20."],
  ['logit_bias', [{}, { '50256': -100 }], [[], 'x'], "'logit_bias' must be an object."],
  ['seed', [0, -5, 12], [1.5, '1'], "'seed' must be a whole number."],
  ['stop', ['.', ['a', 'b'], []], [5, {}, ['a', 1], [null]], "'stop' must be a string or a list of strings."],
  [
    'tools',
    [[], [{ type: 'function' }]],
    [{}, 'x', ['x'], [null], [[]]],
    "'tools' must be a list of objects.",
  ],
  ['tool_choice', ['auto', {}], [5, [], true], "'tool_choice' must be a string or an object."],
  ['parallel_tool_calls', [true, false], ['no', 0], "'parallel_tool_calls' must be true or false."],
  ['functions', [[], [{ name: 'f' }]], [{}, [1]], "'functions' must be a list of objects."],
  ['function_call', ['none', { name: 'f' }], [1, []], "'function_call' must be a string or an object."],
  ['response_format', [{ type: 'text' }], ['json', []], "'response_format' must be an object."],
  ['reasoning_effort', ['low', 'an effort of tomorrow'], [1, {}], "'reasoning_effort' must be a string."],
  ['user', ['u', ''], [1, {}], "'user' must be a string."],
  ['metadata', [{}, { a: 'b' }], [[], 'x'], "'metadata' must be an object."],
];

describe('chat request parser', () => {
  describe.each(FIELD_ROWS)('%s', (field, valid, invalid, message) => {
    it.each(valid.map((value) => [value]))('takes %j', (value) => {
      expect(parsed({ [field]: value })).toMatchObject({ ok: true });
    });

    it('takes null as absent', () => {
      expect(parsed({ [field]: null })).toMatchObject({ ok: true });
    });

    it.each(invalid.map((value) => [value]))('refuses %j', (value) => {
      expect(parsed({ [field]: value })).toEqual({
        ok: false,
        error: { code: 'invalid_request_error', reason: 'invalid_value', param: field, message },
      });
    });
  });

  describe('the body', () => {
    it.each([[null], [[]], ['text'], [5], [true], [undefined]])('is refused as %j', (body) => {
      expect(faultOf(body)).toEqual({
        code: 'invalid_request_error',
        reason: 'invalid_value',
        param: null,
        message: 'The request body must be a JSON object.',
      });
    });

    it('is passed on by reference, unknown fields and all', () => {
      const body = {
        model: 'gpt-s',
        messages: [{ role: 'user', content: [{ type: 'tomorrow', x: 1 }], x_field: [1] }],
        api_base: 'http://127.0.0.1:9/v1',
        extra_headers: { authorization: 'Bearer other' },
        max_retries: 7,
        schneeai: { provider: 'anthropic' },
      };
      const before = JSON.stringify(body);

      const result = parseChatRequest(body);

      expect(result.ok && result.value.body).toBe(body);
      expect(JSON.stringify(body)).toBe(before);
    });

    // B42: a control field in a body that became an option of the upstream call.
    it('gives nothing but the request itself to the gateway', () => {
      const result = parsed({ api_base: 'http://127.0.0.1:9', timeout: 1, api_key: 'x', fallbacks: ['y'] });

      expect(result.ok && Object.keys(result.value).sort()).toEqual([
        'body',
        'includeUsage',
        'model',
        'needs',
        'stream',
      ]);
    });

    it('has `__proto__` as data only', () => {
      const body: unknown = JSON.parse(
        '{"model":"gpt-s","messages":[{"role":"user"}],"__proto__":{"stream":true,"n":"x","polluted":1}}',
      );

      const result = parseChatRequest(body);

      expect(result).toMatchObject({ ok: true, value: { stream: false } });
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });
  });

  describe('model', () => {
    const MESSAGE = "'model' must name a model, in 1 to 256 characters.";

    it.each([['m'], ['m'.repeat(256)], ['meta/llama-3 ✓']])('takes %j', (model) => {
      expect(parsed({ model })).toMatchObject({ ok: true, value: { model } });
    });

    it.each([[undefined], [null], [''], ['  '], [5], [{}], [['m']], ['m'.repeat(257)]])(
      'refuses %j',
      (model) => {
        expect(faultOf({ model, messages: MESSAGES })).toMatchObject({ param: 'model', message: MESSAGE });
      },
    );
  });

  describe('messages', () => {
    const LIST = "'messages' must be a list with at least one message.";
    const CONTENT = 'must be a string or a list of content parts.';

    it.each<[name: string, messages: unknown, param: string, message: string]>([
      ['absent', undefined, 'messages', LIST],
      ['null', null, 'messages', LIST],
      ['empty', [], 'messages', LIST],
      ['an object', { 0: MESSAGES[0] }, 'messages', LIST],
      ['a string', 'Hello', 'messages', LIST],
      ['with null', [null], 'messages[0]', "'messages[0]' must be an object."],
      ['with a string', [MESSAGES[0], 'x'], 'messages[1]', "'messages[1]' must be an object."],
      // STACK §2: nested arrays went through class-validator unchecked.
      ['with a list', [[{ role: 'user' }]], 'messages[0]', "'messages[0]' must be an object."],
      [
        'without a role',
        [{ content: 'x' }],
        'messages[0].role',
        "'messages[0].role' must be a string such as 'user'.",
      ],
      [
        'with an empty role',
        [{ role: '' }],
        'messages[0].role',
        "'messages[0].role' must be a string such as 'user'.",
      ],
      [
        'with a numeric role',
        [{ role: 1 }],
        'messages[0].role',
        "'messages[0].role' must be a string such as 'user'.",
      ],
      [
        'with content 5',
        [{ role: 'user', content: 5 }],
        'messages[0].content',
        `'messages[0].content' ${CONTENT}`,
      ],
      [
        'with content {}',
        [{ role: 'user', content: {} }],
        'messages[0].content',
        `'messages[0].content' ${CONTENT}`,
      ],
      [
        'with a part that is no object',
        [MESSAGES[0], { role: 'user', content: [{ type: 'text' }, 'x'] }],
        'messages[1].content',
        `'messages[1].content' ${CONTENT}`,
      ],
      [
        'with tool_calls {}',
        [{ role: 'assistant', tool_calls: {} }],
        'messages[0].tool_calls',
        "'messages[0].tool_calls' must be a list of objects.",
      ],
      [
        'with a tool call that is no object',
        [{ role: 'assistant', tool_calls: [1] }],
        'messages[0].tool_calls',
        "'messages[0].tool_calls' must be a list of objects.",
      ],
    ])('are refused %s', (_name, messages, param, message) => {
      expect(faultOf({ model: 'gpt-s', messages })).toEqual({
        code: 'invalid_request_error',
        reason: 'invalid_value',
        param,
        message,
      });
    });

    it.each<[name: string, message: object]>([
      ['text', { role: 'user', content: 'x' }],
      ['empty text', { role: 'user', content: '' }],
      ['parts', { role: 'user', content: [{ type: 'text', text: 'x' }] }],
      ['no part', { role: 'user', content: [] }],
      ['null content beside tool calls', { role: 'assistant', content: null, tool_calls: [{ id: 'c' }] }],
      ['a role of tomorrow', { role: 'critic', content: 'x' }],
    ])('may hold %s', (_name, message) => {
      expect(parsed({ messages: [message] })).toMatchObject({ ok: true });
    });
  });

  it.each<[name: string, fields: object, stream: boolean, includeUsage: boolean]>([
    ['nothing said', {}, false, false],
    ['stream null', { stream: null, stream_options: null }, false, false],
    ['streamed', { stream: true }, true, false],
    ['usage asked for', { stream: true, stream_options: { include_usage: true } }, true, true],
    ['usage declined', { stream: true, stream_options: { include_usage: false } }, true, false],
    ['usage asked for oddly', { stream: true, stream_options: { include_usage: 'true' } }, true, false],
  ])('reads the wishes off the body: %s', (_name, fields, stream, includeUsage) => {
    expect(parsed(fields)).toMatchObject({ ok: true, value: { stream, includeUsage } });
  });

  it('reads the needs off the body', () => {
    const result = parsed({ stream: true, n: 2, max_tokens: 40, tools: [{ type: 'function' }] });

    expect(result).toMatchObject({
      ok: true,
      value: {
        needs: { streaming: true, multipleChoices: true, tools: true, maxOutputTokens: 40, vision: false },
      },
    });
  });

  it('names the first field that is wrong', () => {
    expect(faultOf({ model: 'gpt-s', messages: [], stream: 'yes', n: 0 })).toMatchObject({ param: 'stream' });
  });
});
