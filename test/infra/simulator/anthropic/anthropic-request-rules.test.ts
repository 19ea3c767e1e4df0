import { anthropicRequestFault } from '../../../../src/infra/simulator/anthropic/anthropic-request-rules';
import type { JsonObject, JsonValue } from '../../../../src/infra/simulator/json-value';

const user = (content: JsonValue): JsonObject => ({ role: 'user', content });
const assistant = (content: JsonValue): JsonObject => ({ role: 'assistant', content });
const system = (content: JsonValue): JsonObject => ({ role: 'system', content });
const call = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'snow', input: {} });
const result = (id: string): JsonObject => ({ type: 'tool_result', tool_use_id: id, content: '12 cm' });
const text = (value: string): JsonObject => ({ type: 'text', text: value });
const tool = { name: 'snow', input_schema: { type: 'object', properties: {} } };
const talk = (...messages: JsonObject[]): JsonObject => ({ messages: [user('Hi'), ...messages] });

const faultOf = (
  extra: JsonObject,
  version = '2023-06-01',
  systemTurns: 'allowed' | 'refused' = 'allowed',
) => {
  const body = { model: 'claude-s', max_tokens: 100, messages: [user('Hi')], ...extra };
  const withoutUndefined = JSON.parse(JSON.stringify(body)) as JsonObject;
  return anthropicRequestFault(withoutUndefined, { 'anthropic-version': version }, { systemTurns })?.message;
};

describe('anthropic request rules', () => {
  it.each<[string, JsonObject]>([
    ['a plain question', {}],
    ['consecutive turns of one role', talk(user('again'), assistant('Yes'), assistant('and'))],
    ['a greeting first', { messages: [assistant('Hello.'), user('Hi')] }],
    [
      'all results of parallel calls, text after them',
      talk(assistant([call('a'), call('b')]), user([result('b'), result('a'), text('?')])),
    ],
    [
      'results spread over user turns in a row',
      talk(assistant([call('a'), call('b')]), user([result('a')]), user([result('b')])),
    ],
    [
      'a tool result without content',
      talk(assistant([call('a')]), user([{ type: 'tool_result', tool_use_id: 'a' }])),
    ],
    ['a system turn behind a user turn', talk(system('Be terse.'))],
    ['system blocks', { system: [text('Be terse.')] }],
    ['sampling within its range', { temperature: 1 }],
    ['max_tokens 0', { max_tokens: 0 }],
    ['a forced tool', { tools: [tool], tool_choice: { type: 'tool', name: 'snow' } }],
    ['a server tool', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
  ])('accept %s', (_, extra) => {
    expect(faultOf(extra)).toBeUndefined();
  });

  it.each<[string, JsonObject, string]>([
    ['a missing max_tokens', { max_tokens: undefined }, 'max_tokens: Field required'],
    ['a missing model', { model: undefined }, 'model: Field required'],
    ['missing messages', { messages: undefined }, 'messages: Field required'],
    ['no message', { messages: [] }, 'at least one message'],
    ['an unknown field', { frequency_penalty: 0 }, 'frequency_penalty: Extra inputs are not permitted'],
    ['an unknown message field', talk({ ...assistant('x'), name: 'n' }), 'messages.1.name: Extra inputs'],
    [
      'an unknown block field',
      { messages: [user([{ ...text('x'), detail: 1 }])] },
      'messages.0.content.0.text.detail: Extra',
    ],
    ['a temperature over 1', { temperature: 1.5 }, 'temperature: Input should be less than or equal to 1'],
    ['temperature with top_p', { temperature: 1, top_p: 1 }, 'cannot both be specified'],
    ['a blank stop sequence', { stop_sequences: ['END', '\u3000\n'] }, 'must contain non-whitespace'],
    ['an empty text block', { messages: [user([text('')])] }, 'text content blocks must be non-empty'],
    ['a blank text block', { messages: [user([text(' \n')])] }, 'must contain non-whitespace text'],
    ['an empty content', talk(assistant([]), user('x')), 'must have non-empty content'],
    ['an empty system block', { system: [text('')] }, 'system: text content blocks'],
    ['an unknown role', talk({ role: 'tool', content: 'x' }), 'messages.1.role'],
    ['an unknown block', { messages: [user([{ type: 'image_url' }])] }, "Input tag 'image_url'"],
    ['a block of the other role', { messages: [user([call('a')])] }, 'not allowed in `user` messages'],
    [
      'a call without result',
      talk(assistant([call('a')])),
      'ids were found without `tool_result` blocks immediately after: a',
    ],
    [
      'one of two results missing',
      talk(assistant([call('a'), call('b')]), user([result('a')])),
      'immediately after: b',
    ],
    [
      'a result behind text',
      talk(assistant([call('a')]), user([text('x'), result('a')])),
      'immediately after: a',
    ],
    [
      'a result that comes too late',
      talk(assistant([call('a')]), user('x'), assistant('y'), user([result('a')])),
      'immediately after: a',
    ],
    [
      'a system turn before the result',
      talk(assistant([call('a')]), system('x'), user([result('a')])),
      'immediately after: a',
    ],
    [
      'a result without call',
      talk(assistant('x'), user([result('z')])),
      'unexpected `tool_use_id` found in `tool_result` blocks: z',
    ],
    [
      'two results for one call',
      talk(assistant([call('a')]), user([result('a'), result('a')])),
      'must have a single result',
    ],
    [
      'one id for two calls',
      talk(assistant([call('a'), call('a')]), user([result('a')])),
      'ids must be unique',
    ],
    ['a foreign tool id', talk(assistant([call('call:1')]), user([result('call:1')])), "'^[a-zA-Z0-9_-]+$'"],
    [
      'arguments as a string',
      talk(assistant([{ ...call('a'), input: '{}' }]), user([result('a')])),
      'valid dictionary',
    ],
    ['a system turn first', { messages: [system('x'), user('Hi')] }, 'must not be the first message'],
    ['a system turn behind an assistant text', talk(assistant('x'), system('y')), 'must follow'],
    ['a system turn before a user turn', talk(system('x'), user('y')), 'must be followed by'],
    ['a prefill with trailing space', talk(assistant('So ')), 'cannot end with trailing whitespace'],
    ['a tool without schema', { tools: [{ name: 'snow' }] }, 'tools.0.custom.input_schema: Field required'],
    [
      'a tool without root type',
      { tools: [{ name: 'snow', input_schema: {} }] },
      'input_schema.type: Field required',
    ],
    [
      'a union at the root',
      { tools: [{ name: 'snow', input_schema: { type: 'object', anyOf: [] } }] },
      'does not support oneOf',
    ],
    ['a tool in the other wire', { tools: [{ type: 'function', function: {} }] }, "Input tag 'function'"],
    ['two tools of one name', { tools: [tool, tool] }, 'Tool names must be unique'],
    ['a choice without tools', { tool_choice: { type: 'auto' } }, 'only be specified while providing tools'],
    ['a choice in the other wire', { tools: [tool], tool_choice: 'required' }, "Input tag ''"],
    [
      'an unknown forced tool',
      { tools: [tool], tool_choice: { type: 'tool', name: 'x' } },
      "Tool 'x' not found",
    ],
    [
      'the parallel flag with none',
      { tools: [tool], tool_choice: { type: 'none', disable_parallel_tool_use: true } },
      'Extra inputs',
    ],
    ['foreign metadata', { metadata: { trace: '1' } }, 'metadata.trace: Extra inputs'],
    [
      'a thinking budget over max_tokens',
      { thinking: { type: 'enabled', budget_tokens: 2048 } },
      'must be greater than',
    ],
    [
      'an open output schema',
      { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
      'additionalProperties',
    ],
    [
      'an unsupported schema keyword',
      { output_config: { format: { type: 'json_schema', schema: { type: 'integer', minimum: 1 } } } },
      "property 'minimum' is not supported",
    ],
  ])('refuse %s', (_, extra, message) => {
    expect(faultOf(extra)).toContain(message);
  });

  it('know no sampling parameters since 2026-10-21', () => {
    expect(faultOf({ temperature: 1 }, '2026-10-21')).toBe('temperature: Extra inputs are not permitted');
  });

  it('want a known version', () => {
    expect(faultOf({}, '2020-01-01')).toContain('is not a valid version');
  });

  it('refuse system turns where the model does not take them', () => {
    expect(faultOf(talk(system('x')), '2023-06-01', 'refused')).toContain("role 'system' is not supported");
  });
});
