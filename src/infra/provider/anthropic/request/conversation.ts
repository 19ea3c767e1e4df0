import type { JsonObject } from '../../../../domain/kernel/json';
import { ok } from '../../../../domain/kernel/result';
import type { Block, Turn } from './block';
import { lastBreakpoints } from './cache-breakpoint';
import { exchangesOf, pairedResults } from './exchange';
import { messageEntry, type Entry } from './message-entry';
import { repliesInTurns } from './system-place';
import { gate, given, isList, reject, translateEach, type Scope, type Translated } from './translation';

/** Anthropic's limit on the messages of one request. */
const MAX_MESSAGES = 100_000;
/** Images of one request, and of one to a model with a context of a million tokens (vision guide). */
const MAX_IMAGES = 100;
const MAX_IMAGES_LARGE_CONTEXT = 600;
const LARGE_CONTEXT_TOKENS = 1_000_000;

export type Conversation = Readonly<{
  system: readonly Block[];
  turns: readonly Turn[];
  /** Tools that the history calls, each once. */
  calledTools: readonly string[];
  /** Whom the model continues: the user, its own unfinished text, or the results of its tool calls. */
  ending: 'user' | 'prefill' | 'tool_results';
}>;

/** The caller's messages as turns that Anthropic accepts (WIRE §3). */
export function conversationOf(body: JsonObject, scope: Scope): Translated<Conversation> {
  const messages = given(body, 'messages');
  if (!isList(messages) || messages.length === 0)
    return reject('messages', 'must be a list with at least one message');
  if (messages.length > MAX_MESSAGES)
    return gate('messages', `are more than ${MAX_MESSAGES}, the limit of this model`);
  const read = translateEach(messages, (message, index) => messageEntry(message, index, scope));
  if (!read.ok) return read;
  const entries = read.value;
  const start = entries.findIndex((entry) => entry.kind !== 'system');
  const late = start < 0 ? [] : entries.slice(start);
  const turns = turnsOf(late, scope);
  if (!turns.ok) return turns;
  return finished(entries.slice(0, entries.length - late.length), turns.value, late, scope);
}

function turnsOf(entries: readonly Entry[], scope: Scope): Translated<readonly Turn[]> {
  const exchanges = exchangesOf(entries);
  const results = translateEach(exchanges, pairedResults);
  if (!results.ok) return results;
  const stretches = exchanges.map(({ remarks }, index) => ({ results: results.value[index] ?? [], remarks }));
  const replies = repliesInTurns(stretches, scope.contract.midConversationSystem);
  return ok(
    merged(
      exchanges.flatMap(({ said }, index) => [
        { role: 'assistant', content: said },
        ...(replies[index] ?? []),
      ]),
    ),
  );
}

/** Turns of one role in a row are one turn. Blocks are appended, their texts are not joined. */
function merged(turns: readonly Turn[]): readonly Turn[] {
  const kept: { role: Turn['role']; content: Block[] }[] = [];
  for (const { role, content } of turns) {
    if (content.length === 0) continue;
    const before = kept.at(-1);
    if (before?.role === role) for (const block of content) before.content.push(block);
    else kept.push({ role, content: [...content] });
  }
  return kept;
}

function finished(
  leading: readonly Entry[],
  turns: readonly Turn[],
  late: readonly Entry[],
  scope: Scope,
): Translated<Conversation> {
  if (turns.length === 0) return reject('messages', 'hold nothing to answer: no message has any content');
  if (imagesIn(turns) > maxImages(scope))
    return gate('messages', `hold more than ${maxImages(scope)} images`);
  const ending = endingOf(turns);
  if (ending === 'prefill' && !scope.contract.prefill) {
    return gate(
      'messages',
      'this model continues no assistant message: the last message must be from the user or a tool',
    );
  }
  const content = lastBreakpoints({
    system: leading.flatMap((entry) => (entry.kind === 'system' ? entry.blocks : [])),
    turns: ending === 'prefill' ? withTrimmedPrefill(turns, scope) : turns,
  });
  const calls = late.flatMap((entry) => (entry.kind === 'assistant' ? entry.calls : []));
  return ok({ ...content, calledTools: [...new Set(calls.map((call) => call.name))], ending });
}

function endingOf(turns: readonly Turn[]): Conversation['ending'] {
  const last = turns.findLast((turn) => turn.role !== 'system');
  if (last?.role === 'assistant') return 'prefill';
  return last?.content.some((block) => block.type === 'tool_result') ? 'tool_results' : 'user';
}

/** Anthropic refuses white space at the end of a prefill. */
function withTrimmedPrefill(turns: readonly Turn[], scope: Scope): readonly Turn[] {
  const last = turns.at(-1);
  const block = last?.content.at(-1);
  if (last === undefined || typeof block?.text !== 'string') return turns;
  const text = block.text.trimEnd();
  if (text === block.text) return turns;
  scope.note('messages[].content');
  return [...turns.slice(0, -1), { ...last, content: [...last.content.slice(0, -1), { ...block, text }] }];
}

function maxImages({ contract }: Scope): number {
  return (contract.contextTokens ?? 0) >= LARGE_CONTEXT_TOKENS ? MAX_IMAGES_LARGE_CONTEXT : MAX_IMAGES;
}

function imagesIn(turns: readonly Turn[]): number {
  const blocks = turns.flatMap((turn) => turn.content);
  const inResults = blocks.flatMap((block) => (isList(block.content) ? block.content : []));
  return [...blocks, ...inResults].filter((block) => (block as JsonObject).type === 'image').length;
}
