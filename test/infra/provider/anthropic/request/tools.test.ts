import type { JsonObject } from '../../../../../src/domain/kernel/json';
import { failureOf, HELLO, membersOf, OPUS_5_5 } from '../claude-contract';

const fn = (definition: JsonObject): JsonObject => ({
  type: 'function',
  function: { name: 'snow', ...definition },
});
const tool = (name: string): JsonObject => fn({ name });
const open = (name: string): JsonObject => ({ name, input_schema: { type: 'object', properties: {} } });

describe('tool definitions', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['no parameters', {}, { input_schema: { type: 'object', properties: {} } }],
    ['null parameters', { parameters: null }, { input_schema: { type: 'object', properties: {} } }],
    ['empty parameters', { parameters: {} }, { input_schema: { type: 'object', properties: {} } }],
    [
      'parameters without a type',
      { parameters: { properties: { p: { type: 'string' } } } },
      { input_schema: { type: 'object', properties: { p: { type: 'string' } } } },
    ],
    [
      'a description, and a schema that passes as it is',
      { description: 'Depth.', parameters: { type: 'object', properties: { p: { minimum: 3 } } } },
      { description: 'Depth.', input_schema: { type: 'object', properties: { p: { minimum: 3 } } } },
    ],
    ['strict: false', { strict: false }, { input_schema: { type: 'object', properties: {} } }],
    [
      'strict: true, closed',
      {
        strict: true,
        parameters: { type: 'object', properties: { p: { type: 'object' } }, required: ['p'] },
      },
      {
        strict: true,
        input_schema: {
          type: 'object',
          properties: { p: { type: 'object', additionalProperties: false } },
          required: ['p'],
          additionalProperties: false,
        },
      },
    ],
  ])('with %s', (_name, definition, members) => {
    expect(membersOf({ tools: [fn(definition)] })).toEqual({ tools: [{ name: 'snow', ...members }] });
  });

  it('keep a property named __proto__', () => {
    const parameters = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as JsonObject;

    expect(JSON.stringify(membersOf({ tools: [fn({ parameters, strict: true })] }))).toContain(
      '"properties":{"__proto__":{"type":"string"}}',
    );
  });

  it('are absent for an empty list', () => {
    expect(membersOf({ tools: [], tool_choice: 'auto', parallel_tool_calls: false })).toEqual({});
  });

  it.each<[string, JsonObject[string], string]>([
    [
      'a root that is anyOf',
      [fn({ parameters: { type: 'object', anyOf: [] } })],
      'gate tools[0].function.parameters',
    ],
    ['a root that is oneOf', [fn({ parameters: { oneOf: [] } })], 'gate tools[0].function.parameters'],
    ['a root that is allOf', [fn({ parameters: { allOf: [] } })], 'gate tools[0].function.parameters'],
    [
      'a root that is a reference',
      [fn({ parameters: { $ref: '#/$defs/a' } })],
      'gate tools[0].function.parameters',
    ],
    ['a root that is a list', [fn({ parameters: { type: 'array' } })], 'gate tools[0].function.parameters'],
    ['parameters that are no schema', [fn({ parameters: 'x' })], 'reject tools[0].function.parameters'],
    ['a name with a space', [tool('a b')], 'reject tools[0].function.name'],
    ['a name of 65 characters', [tool('a'.repeat(65))], 'reject tools[0].function.name'],
    ['a name that occurs twice', [tool('a'), tool('a')], 'reject tools[1].function.name'],
    ['no definition', [{ type: 'function' }], 'reject tools[0].function.name'],
    ['a custom tool', [{ type: 'custom', custom: { name: 'x' } }], 'gate tools[0].type'],
    ['a provider-side tool', [{ type: 'web_search' }], 'gate tools[0].type'],
    ['no object', ['x'], 'reject tools[0]'],
    ['no list', 'x', 'reject tools'],
    [
      'a strict schema with a minimum',
      [fn({ strict: true, parameters: { properties: { p: { minimum: 3 } } } })],
      'gate tools[0].function.parameters',
    ],
    [
      '21 strict tools',
      Array.from({ length: 21 }, (_, i) => fn({ name: `t${i}`, strict: true })),
      'gate tools',
    ],
    [
      '25 optional strict parameters',
      [
        fn({
          strict: true,
          parameters: { properties: Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`p${i}`, {}])) },
        }),
      ],
      'gate tools',
    ],
    [
      '17 unions in strict parameters',
      [
        fn({
          strict: true,
          parameters: {
            properties: { p: { items: Array.from({ length: 17 }, () => ({ type: ['string', 'null'] })) } },
          },
        }),
      ],
      'gate tools',
    ],
  ])('fail for %s', (_name, tools, failure) => {
    expect(failureOf({ tools })).toBe(failure);
  });

  it('are for another route where the model lacks them', () => {
    expect(failureOf({ tools: [tool('a')] }, { tools: false })).toBe('gate tools');
    expect(failureOf({ tools: [fn({ strict: true })] }, { jsonSchema: false })).toBe(
      'gate tools[0].function.strict',
    );
  });
});

describe('tool_choice', () => {
  const named = { type: 'function', function: { name: 'b' } };
  const allowed = (mode: string, ...names: string[]): JsonObject => ({
    type: 'allowed_tools',
    allowed_tools: { mode, tools: names.map((name) => ({ type: 'function', function: { name } })) },
  });

  it.each<[string, JsonObject[string], JsonObject | undefined, JsonObject | undefined]>([
    ['absent', null, undefined, { type: 'auto', disable_parallel_tool_use: true }],
    ['auto', 'auto', { type: 'auto' }, { type: 'auto', disable_parallel_tool_use: true }],
    ['none', 'none', { type: 'none' }, { type: 'none' }],
    ['required', 'required', { type: 'any' }, { type: 'any', disable_parallel_tool_use: true }],
    [
      'a name',
      named,
      { type: 'tool', name: 'b' },
      { type: 'tool', name: 'b', disable_parallel_tool_use: true },
    ],
  ])('%s', (_name, tool_choice, parallel, single) => {
    const tools = [tool('a'), tool('b')];

    expect(membersOf({ tools, tool_choice })).toEqual({
      tools: [open('a'), open('b')],
      tool_choice: parallel,
    });
    expect(membersOf({ tools, tool_choice, parallel_tool_calls: true }).tool_choice).toEqual(parallel);
    expect(membersOf({ tools, tool_choice, parallel_tool_calls: false }).tool_choice).toEqual(single);
  });

  it.each<[string, JsonObject]>([
    ['auto', { type: 'auto' }],
    ['required', { type: 'any' }],
  ])('allowed_tools %s sends only these tools', (mode, choice) => {
    const members = membersOf({
      tools: [tool('a'), tool('b'), tool('c')],
      tool_choice: allowed(mode, 'c', 'a'),
    });

    expect(members).toEqual({ tools: [open('a'), open('c')], tool_choice: choice });
  });

  it.each<[string, JsonObject]>([
    ['absent', {}],
    ['auto', { tool_choice: 'auto' }],
    ['none', { tool_choice: 'none', parallel_tool_calls: false }],
  ])('%s says nothing without tools', (_name, body) => {
    expect(membersOf(body)).toEqual({});
  });

  it.each<[string, JsonObject, string]>([
    ['required without tools', { tool_choice: 'required' }, 'reject tool_choice'],
    ['a name without tools', { tool_choice: named }, 'reject tool_choice'],
    ['an unknown name', { tools: [tool('a')], tool_choice: named }, 'reject tool_choice.function.name'],
    [
      'no name',
      { tools: [tool('a')], tool_choice: { type: 'function' } },
      'reject tool_choice.function.name',
    ],
    [
      'an unknown allowed tool',
      { tools: [tool('a')], tool_choice: allowed('auto', 'x') },
      'reject tool_choice.allowed_tools.tools',
    ],
    [
      'no allowed tool',
      { tools: [tool('a')], tool_choice: allowed('auto') },
      'reject tool_choice.allowed_tools.tools',
    ],
    [
      'an unknown mode',
      { tools: [tool('a')], tool_choice: allowed('x', 'a') },
      'reject tool_choice.allowed_tools.mode',
    ],
    [
      'a custom tool',
      { tools: [tool('a')], tool_choice: { type: 'custom', custom: { name: 'a' } } },
      'gate tool_choice',
    ],
    ['an unknown type', { tools: [tool('a')], tool_choice: { type: 'x' } }, 'reject tool_choice.type'],
    ['an unknown word', { tools: [tool('a')], tool_choice: 'always' }, 'reject tool_choice'],
  ])('fails for %s', (_name, body, failure) => {
    expect(failureOf(body)).toBe(failure);
  });

  it.each(['required', named, allowed('required', 'b')])(
    '%p is never weakened where the model takes no force',
    (tool_choice) => {
      expect(failureOf({ tools: [tool('b')], tool_choice }, OPUS_5_5)).toBe('gate tool_choice');
    },
  );
});

describe('a history with tool calls', () => {
  const call = (id: string, name: string): JsonObject => ({
    id,
    type: 'function',
    function: { name, arguments: '' },
  });
  const messages = [
    HELLO,
    { role: 'assistant', tool_calls: [call('1', 'snow'), call('2', 'rain'), call('3', 'snow')] },
    ...['1', '2', '3'].map((id) => ({ role: 'tool', tool_call_id: id, content: 'x' })),
  ];

  it('declares the called names where the request offers no tools, and forbids further calls', () => {
    expect(membersOf({ messages })).toEqual({
      tools: [
        { name: 'snow', input_schema: { type: 'object' } },
        { name: 'rain', input_schema: { type: 'object' } },
      ],
      tool_choice: { type: 'none' },
    });
  });

  it('adds nothing where it does', () => {
    expect(membersOf({ messages, tools: [tool('a')] })).toEqual({ tools: [open('a')] });
  });
});
