import type { JsonObject } from '../../../../../src/domain/kernel/json';

export const text = (said: string): JsonObject => ({ type: 'text', text: said });
export const user = (...content: readonly JsonObject[]): JsonObject => ({ role: 'user', content });
export const assistant = (...content: readonly JsonObject[]): JsonObject => ({ role: 'assistant', content });
export const call = (id: string, args: string | null = '{}', name = 'snow'): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
export const calling = (...calls: readonly JsonObject[]): JsonObject => ({
  role: 'assistant',
  content: null,
  tool_calls: calls,
});
export const result = (id: string, content: JsonObject[string] = 'ok'): JsonObject => ({
  role: 'tool',
  tool_call_id: id,
  content,
});
export const use = (id: string, input: JsonObject = {}, name = 'snow'): JsonObject => ({
  type: 'tool_use',
  id,
  name,
  input,
});
export const outcome = (id: string, content: JsonObject[string] = 'ok'): JsonObject => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});
