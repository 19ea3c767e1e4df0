import { isJsonObject, type JsonObject, type JsonValue } from '../../../../domain/kernel/json';
import { ok } from '../../../../domain/kernel/result';
import { isDeeperThan, parseExactly } from '../exact-json';
import { isBlank } from './blank-text';
import { withoutBlanks, type Block } from './block';
import { contentBlocks, TOOL_PARTS } from './content-part';
import { upstreamToolCallId } from './tool-call-id';
import { isToolName, TOOL_NAME_RULE } from './tool-name';
import { gate, given, reject, type Scope, type Translated } from './translation';

/** A tool call of the history. `id` is the caller's own: results are matched by it. */
export type ToolCall = Readonly<{ id: string; name: string; param: string; block: Block }>;

/** Real arguments nest a few levels; thousands would overflow the stack when the body is printed. */
const MAX_ARGUMENT_LEVELS = 200;

export function callBlock(call: JsonValue, param: string): Translated<ToolCall> {
  if (!isJsonObject(call)) return reject(param, 'must be an object');
  const type = given(call, 'type') ?? 'function';
  if (type !== 'function') return gate(`${param}.type`, 'only function calls can be sent to this model');
  const id = given(call, 'id');
  if (typeof id !== 'string' || id === '') return reject(`${param}.id`, 'must be a non-empty string');
  const called = given(call, 'function');
  const name = isJsonObject(called) ? given(called, 'name') : undefined;
  if (!isJsonObject(called) || !isToolName(name)) return reject(`${param}.function.name`, TOOL_NAME_RULE);
  const input = inputOf(given(called, 'arguments'), `${param}.function.arguments`);
  if (!input.ok) return input;
  const block = { type: 'tool_use', id: upstreamToolCallId(id), name, input: input.value };
  return ok({ id, name, param, block });
}

/** The arguments as Anthropic wants them: an object, with every digit that the caller wrote. */
function inputOf(text: JsonValue | undefined, param: string): Translated<JsonObject> {
  if (text === undefined || text === '') return ok({});
  if (typeof text !== 'string') return reject(param, 'must be a string');
  const input = isBlank(text) ? {} : parseExactly(text);
  if (!isJsonObject(input)) return gate(param, 'must be a JSON object for this model');
  if (isDeeperThan(input, MAX_ARGUMENT_LEVELS))
    return gate(param, `nests deeper than ${MAX_ARGUMENT_LEVELS} levels`);
  return ok(input);
}

/** OpenAI's format has no error flag, so `is_error` is never set; an empty result has no `content` (WIRE §3). */
export function resultBlock(
  callId: string,
  content: JsonValue | undefined,
  param: string,
  scope: Scope,
): Translated<Block> {
  const head = { type: 'tool_result', tool_use_id: upstreamToolCallId(callId) };
  if (typeof content === 'string') return ok(isBlank(content) ? head : { ...head, content });
  const parts = contentBlocks(content ?? [], `${param}.content`, TOOL_PARTS, scope);
  if (!parts.ok) return parts;
  const blocks = withoutBlanks(parts.value);
  // A breakpoint inside a result is not a place to cache at; the result that holds it is.
  const isBreakpoint = blocks.some((block) => block.cache_control !== undefined);
  return ok({
    ...head,
    ...(blocks.length > 0 ? { content: blocks.map(withoutBreakpoint) } : {}),
    ...(isBreakpoint ? { cache_control: { type: 'ephemeral' } } : {}),
  });
}

function withoutBreakpoint({ cache_control: _, ...block }: Block): JsonObject {
  return block;
}
