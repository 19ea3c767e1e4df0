import { anthropicBlockFault } from './anthropic-block-rules';
import { asList, asObject, asText, isArray, objectsIn, type JsonObject } from '../json-value';
import type { RequestRules } from '../wire-format';

type Turn = Readonly<{ role: string; blocks: readonly JsonObject[]; index: number }>;

/** Roles, contents and the pairing of tool calls with results. Turns of one role in a row count as one, as at the real API. */
export function anthropicTurnFault(body: JsonObject, rules: RequestRules): string | undefined {
  const messages = asList(body.messages).map((message) => asObject(message));
  return (
    firstFault(messages, (message, index) =>
      shapeFault(message, index, index === messages.length - 1, rules),
    ) ??
    pairingFault(merged(objectsIn(body.messages))) ??
    prefillFault(messages.at(-1))
  );
}

function shapeFault(
  message: JsonObject | undefined,
  index: number,
  isLast: boolean,
  rules: RequestRules,
): string | undefined {
  const path = `messages.${index}`;
  if (!message) return `${path}: Input does not match the expected shape.`;
  const role = asText(message.role) ?? '';
  const unknown = Object.keys(message).find((field) => field !== 'role' && field !== 'content');
  if (unknown !== undefined) return `${path}.${unknown}: Extra inputs are not permitted`;
  return roleFault(role, path, rules) ?? contentFault(message, role, path, isLast);
}

function roleFault(role: string, path: string, rules: RequestRules): string | undefined {
  if (role === 'system' && rules.systemTurns === 'refused') {
    return `${path}.role: role 'system' is not supported on this model`;
  }
  return ['user', 'assistant', 'system'].includes(role)
    ? undefined
    : `${path}.role: Input should be 'user', 'assistant' or 'system'`;
}

function contentFault(
  { content }: JsonObject,
  role: string,
  path: string,
  isLast: boolean,
): string | undefined {
  const mayBeEmpty = isLast && role === 'assistant';
  if (typeof content === 'string') {
    return content.trim() === '' && !mayBeEmpty
      ? 'messages: text content blocks must be non-empty'
      : undefined;
  }
  if (!isArray(content)) return `${path}.content: Input should be a valid array`;
  if (content.length === 0 && !mayBeEmpty) {
    return `${path}: all messages must have non-empty content except for the optional final assistant message`;
  }
  return firstFault(content, (block, index) =>
    anthropicBlockFault(asObject(block) ?? {}, role, `${path}.content.${index}`),
  );
}

function prefillFault(message: JsonObject | undefined): string | undefined {
  if (message?.role !== 'assistant') return undefined;
  const text = asText(message.content) ?? asText(asObject(asList(message.content).at(-1))?.text) ?? '';
  return text === text.trimEnd()
    ? undefined
    : 'messages: final assistant content cannot end with trailing whitespace';
}

function merged(messages: readonly JsonObject[]): readonly Turn[] {
  const turns: Turn[] = [];
  messages.forEach((message, index) => {
    const role = asText(message.role) ?? '';
    const blocks = objectsIn(message.content);
    const text = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : blocks;
    const before = turns.at(-1);
    if (before?.role === role) turns[turns.length - 1] = { ...before, blocks: [...before.blocks, ...text] };
    else turns.push({ role, blocks: text, index });
  });
  return turns;
}

function pairingFault(turns: readonly Turn[]): string | undefined {
  return firstFault(turns, (turn, position) => {
    const before = turns[position - 1];
    const next = turns[position + 1];
    return unansweredFault(turn, next) ?? orphanFault(turn, before) ?? systemPlaceFault(turn, before, next);
  });
}

function unansweredFault(turn: Turn, next: Turn | undefined): string | undefined {
  const calls = idsOf(turn.blocks, 'tool_use', 'id');
  if (new Set(calls).size < calls.length) return 'messages: `tool_use` ids must be unique';
  const leading = leadingResults(next);
  const missing = calls.filter((id) => !leading.includes(id));
  if (missing.length === 0) return undefined;
  return (
    `messages.${turn.index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. ` +
    'Each `tool_use` block must have a corresponding `tool_result` block in the next message.'
  );
}

/** Results count only before everything else in their turn. */
function leadingResults(turn: Turn | undefined): readonly string[] {
  const blocks = turn?.role === 'user' ? turn.blocks : [];
  const end = blocks.findIndex((block) => block.type !== 'tool_result');
  return idsOf(end < 0 ? blocks : blocks.slice(0, end), 'tool_result', 'tool_use_id');
}

function orphanFault(turn: Turn, before: Turn | undefined): string | undefined {
  const results = idsOf(turn.blocks, 'tool_result', 'tool_use_id');
  const calls = before?.role === 'assistant' ? idsOf(before.blocks, 'tool_use', 'id') : [];
  const orphan = results.find((id) => !calls.includes(id));
  if (orphan !== undefined) {
    return (
      `messages.${turn.index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan}. ` +
      'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.'
    );
  }
  const double = results.find((id, index) => results.indexOf(id) !== index);
  return double === undefined
    ? undefined
    : `messages.${turn.index}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${double}`;
}

/** A system turn stands behind a user turn (or a server tool's result), and before an assistant turn or at the end. */
function systemPlaceFault(turn: Turn, before: Turn | undefined, next: Turn | undefined): string | undefined {
  if (turn.role !== 'system') return undefined;
  const path = `messages.${turn.index}`;
  if (!before)
    return `${path}: role 'system' must not be the first message; use the top-level \`system\` instead`;
  const endsInServerTool = /_tool_result$/.test(asText(before.blocks.at(-1)?.type) ?? '');
  if (before.role !== 'user' && !endsInServerTool) {
    return `${path}: a 'system' message must follow a 'user' message`;
  }
  return next?.role === 'user'
    ? `${path}: a 'system' message must be followed by an 'assistant' message or be the last one`
    : undefined;
}

function idsOf(blocks: readonly JsonObject[], type: string, field: string): readonly string[] {
  return blocks.filter((block) => block.type === type).map((block) => asText(block[field]) ?? '');
}

function firstFault<Item>(
  items: readonly Item[],
  check: (item: Item, index: number) => string | undefined,
): string | undefined {
  return items.map(check).find((fault) => fault !== undefined);
}
