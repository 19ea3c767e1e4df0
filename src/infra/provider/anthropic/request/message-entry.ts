import { isJsonObject, type JsonObject, type JsonValue } from '../../../../domain/kernel/json';
import { ok } from '../../../../domain/kernel/result';
import { textBlock, withoutBlanks, type Block } from './block';
import { ASSISTANT_PARTS, contentBlocks, SYSTEM_PARTS, USER_PARTS } from './content-part';
import { callBlock, resultBlock, type ToolCall } from './tool-exchange';
import { gate, given, isList, reject, translateEach, type Scope, type Translated } from './translation';

/** One message of the caller, in Messages blocks, before turns are built. Blank text is gone already. */
export type Entry =
  | Readonly<{ kind: 'system'; blocks: readonly Block[] }>
  | Readonly<{ kind: 'user'; blocks: readonly Block[] }>
  | Readonly<{ kind: 'assistant'; blocks: readonly Block[]; calls: readonly ToolCall[] }>
  | Readonly<{ kind: 'result'; callId: string; param: string; block: Block }>;

type MessageRule = Readonly<{
  read: (message: JsonObject, param: string, scope: Scope) => Translated<Entry>;
  /** Members that are read, or left out because they carry nothing back (reasoning, annotations). Others are noted. */
  known: readonly string[];
}>;

const system: MessageRule = { read: systemEntry, known: ['role', 'content'] };

const RULES: Readonly<Record<string, MessageRule>> = {
  system,
  developer: system,
  user: { read: userEntry, known: ['role', 'content'] },
  assistant: {
    read: assistantEntry,
    known: [
      ...['role', 'content', 'refusal', 'tool_calls', 'audio', 'function_call', 'annotations'],
      ...['reasoning_content', 'reasoning', 'reasoning_details'],
    ],
  },
  tool: { read: resultBlockEntry, known: ['role', 'content', 'tool_call_id'] },
};

export function messageEntry(message: JsonValue, index: number, scope: Scope): Translated<Entry> {
  const param = `messages[${index}]`;
  if (!isJsonObject(message)) return reject(param, 'must be an object');
  const role = given(message, 'role');
  if (role === 'function')
    return gate(`${param}.role`, 'the deprecated function role is not known to this model');
  const rule = typeof role === 'string' && Object.hasOwn(RULES, role) ? RULES[role] : undefined;
  if (rule === undefined) {
    return reject(`${param}.role`, 'must be one of developer, system, user, assistant, tool');
  }
  for (const field of Object.keys(message)) {
    if (!rule.known.includes(field) && given(message, field) !== undefined) scope.note(`messages[].${field}`);
  }
  return rule.read(message, param, scope);
}

function systemEntry(message: JsonObject, param: string, scope: Scope): Translated<Entry> {
  const blocks = contentBlocks(given(message, 'content'), `${param}.content`, SYSTEM_PARTS, scope);
  return blocks.ok ? ok({ kind: 'system', blocks: withoutBlanks(blocks.value) }) : blocks;
}

function userEntry(message: JsonObject, param: string, scope: Scope): Translated<Entry> {
  const blocks = contentBlocks(given(message, 'content'), `${param}.content`, USER_PARTS, scope);
  return blocks.ok ? ok({ kind: 'user', blocks: withoutBlanks(blocks.value) }) : blocks;
}

function assistantEntry(message: JsonObject, param: string, scope: Scope): Translated<Entry> {
  for (const field of ['audio', 'function_call']) {
    if (given(message, field) !== undefined) return gate(`${param}.${field}`, 'is not known to this model');
  }
  const content = contentBlocks(given(message, 'content') ?? [], `${param}.content`, ASSISTANT_PARTS, scope);
  if (!content.ok) return content;
  const refusal = given(message, 'refusal') ?? '';
  if (typeof refusal !== 'string') return reject(`${param}.refusal`, 'must be a string');
  const calls = given(message, 'tool_calls') ?? [];
  if (!isList(calls)) return reject(`${param}.tool_calls`, 'must be a list');
  const translated = translateEach(calls, (call, index) => callBlock(call, `${param}.tool_calls[${index}]`));
  if (!translated.ok) return translated;
  const said = withoutBlanks([...content.value, textBlock(refusal)]);
  return ok({
    kind: 'assistant',
    blocks: [...said, ...translated.value.map((call) => call.block)],
    calls: translated.value,
  });
}

function resultBlockEntry(message: JsonObject, param: string, scope: Scope): Translated<Entry> {
  const callId = given(message, 'tool_call_id');
  if (typeof callId !== 'string' || callId === '')
    return reject(`${param}.tool_call_id`, 'must name a tool call');
  const block = resultBlock(callId, given(message, 'content'), param, scope);
  return block.ok ? ok({ kind: 'result', callId, param, block: block.value }) : block;
}
