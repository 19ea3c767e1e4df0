import type { JsonObject } from '../../../../src/domain/kernel/json';
import type { Frame } from '../../../../src/domain/stream/frame';
import { framesOf, sse } from './read-fixture';

export const start = (usage: JsonObject = { input_tokens: 5, output_tokens: 1 }): JsonObject => ({
  type: 'message_start',
  message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-x', content: [], usage },
});
export const open = (index: number, content_block: JsonObject): JsonObject => ({
  type: 'content_block_start',
  index,
  content_block,
});
export const delta = (index: number, body: JsonObject): JsonObject => ({
  type: 'content_block_delta',
  index,
  delta: body,
});
export const text = (index: number, said: string): JsonObject =>
  delta(index, { type: 'text_delta', text: said });
export const json = (index: number, part: string): JsonObject =>
  delta(index, { type: 'input_json_delta', partial_json: part });
export const close = (index: number): JsonObject => ({ type: 'content_block_stop', index });
export const stop = (reason: string | null, usage: JsonObject = { output_tokens: 9 }): JsonObject => ({
  type: 'message_delta',
  delta: { stop_reason: reason, stop_sequence: null },
  usage,
});
export const end: JsonObject = { type: 'message_stop' };
export const ping: JsonObject = { type: 'ping' };
export const overloaded: JsonObject = {
  type: 'error',
  error: { type: 'overloaded_error', message: 'Overloaded' },
};
export const emptyText = open(0, { type: 'text', text: '' });
export const tool = (index: number, id: string, input: JsonObject = {}): JsonObject =>
  open(index, { type: 'tool_use', id, name: 'snow', input });

export const run = (...events: readonly JsonObject[]): readonly Frame[] => framesOf(sse(...events));
export const kinds = (frames: readonly Frame[]): readonly string[] =>
  frames.map((frame) => (frame.kind === 'chunk' ? frame.weight : frame.kind));
