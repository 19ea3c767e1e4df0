import type { JsonObject } from '../../../../src/infra/simulator/json-value';
import { openAiRequestFault } from '../../../../src/infra/simulator/openai/openai-request-rules';

const calls = (...ids: string[]): JsonObject => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'snow', arguments: '{}' } })),
});
const result = (id: string): JsonObject => ({ role: 'tool', tool_call_id: id, content: '12 cm' });
const user: JsonObject = { role: 'user', content: 'Hi' };
const tools = [{ type: 'function', function: { name: 'snow' } }];

const faultOf = (extra: JsonObject) =>
  openAiRequestFault(
    JSON.parse(JSON.stringify({ model: 'gpt-s', messages: [user], ...extra })) as JsonObject,
  );

describe('openai request rules', () => {
  it.each<[string, JsonObject]>([
    ['a plain question', {}],
    ['unknown fields', { api_base: 'http://x', headers: {} }],
    [
      'results of parallel calls in any order',
      { messages: [user, calls('a', 'b'), result('b'), result('a'), user] },
    ],
    ['a forced tool', { tools, tool_choice: { type: 'function', function: { name: 'snow' } } }],
    ['null for absent', { stop: null, tool_choice: null, stream_options: null }],
  ])('accept %s', (_, extra) => {
    expect(faultOf(extra)).toBeUndefined();
  });

  it.each<[string, JsonObject, string | undefined, string | undefined]>([
    ['a missing model', { model: undefined }, undefined, undefined],
    ['missing messages', { messages: undefined }, 'messages', 'missing_required_parameter'],
    ['messages that are no list', { messages: 'Hi' }, 'messages', 'invalid_type'],
    ['empty messages', { messages: [] }, 'messages', 'empty_array'],
    ['an unknown role', { messages: [{ role: 'bot' }] }, 'messages[0].role', 'invalid_value'],
    ['a result without call', { messages: [user, result('a')] }, 'messages.[1].role', undefined],
    [
      'a result of another call',
      { messages: [user, calls('a'), result('a'), result('z')] },
      'messages.[3].role',
      undefined,
    ],
    [
      'a call without result',
      { messages: [user, calls('a', 'b'), result('a'), user] },
      'messages.[2].role',
      undefined,
    ],
    [
      'a long tool call id',
      { messages: [user, calls('x'.repeat(41)), result('x'.repeat(41))] },
      'messages[1].tool_calls[0].id',
      'string_above_max_length',
    ],
    ['a temperature over 2', { temperature: 2.1 }, 'temperature', 'decimal_above_max_value'],
    ['no tokens', { max_tokens: 0 }, 'max_tokens', 'integer_below_min_value'],
    ['five stop sequences', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop', 'array_above_max_length'],
    [
      'stream options without stream',
      { stream_options: { include_usage: true } },
      'stream_options',
      undefined,
    ],
    ['a tool choice without tools', { tool_choice: 'required' }, 'tool_choice', undefined],
    [
      'an unknown forced tool',
      { tools, tool_choice: { type: 'function', function: { name: 'x' } } },
      'tool_choice',
      undefined,
    ],
    ['JSON mode without the word', { response_format: { type: 'json_object' } }, 'messages', undefined],
  ])('refuse %s', (_, extra, param, code) => {
    expect(faultOf(extra)).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      message: expect.any(String),
    });
    expect([faultOf(extra)?.param, faultOf(extra)?.code]).toEqual([param, code]);
  });
});
