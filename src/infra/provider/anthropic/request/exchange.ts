import { ok } from '../../../../domain/kernel/result';
import type { Block } from './block';
import type { Entry } from './message-entry';
import type { ToolCall } from './tool-exchange';
import { reject, type Translated } from './translation';

type Result = Extract<Entry, { kind: 'result' }>;
export type Remark = Extract<Entry, { kind: 'user' | 'system' }>;

/** What the assistant said in a row (nothing, in the first exchange as a rule), and all that came before it spoke again. */
export type Exchange = Readonly<{
  said: readonly Block[];
  calls: readonly ToolCall[];
  results: readonly Result[];
  remarks: readonly Remark[];
}>;

/** An exchange while its messages are still being read. */
type Draft = { said: Block[]; calls: ToolCall[]; results: Result[]; remarks: Remark[] };

/** Cuts the conversation before each turn of the assistant. Entries without any block are no turn and cut nothing. */
export function exchangesOf(entries: readonly Entry[]): readonly Exchange[] {
  let current: Draft = emptyDraft();
  const exchanges: Draft[] = [current];
  for (const entry of entries) {
    if (startsNext(entry, current)) {
      current = emptyDraft();
      exchanges.push(current);
    }
    addTo(current, entry);
  }
  return exchanges;
}

function emptyDraft(): Draft {
  return { said: [], calls: [], results: [], remarks: [] };
}

function startsNext(entry: Entry, { results, remarks }: Draft): boolean {
  return entry.kind === 'assistant' && entry.blocks.length > 0 && (results.length > 0 || remarks.length > 0);
}

function addTo(draft: Draft, entry: Entry): void {
  switch (entry.kind) {
    case 'result':
      draft.results.push(entry);
      return;
    case 'assistant':
      for (const block of entry.blocks) draft.said.push(block);
      for (const call of entry.calls) draft.calls.push(call);
      return;
    case 'user':
    case 'system':
      if (entry.blocks.length > 0) draft.remarks.push(entry);
  }
}

/**
 * The results of an exchange in the order of its calls: Anthropic wants all of them in the one next user turn. They are
 * matched by the caller's ids; a result or a call without its other half is wrong on any route (WIRE §3, repair 1).
 */
export function pairedResults({ calls, results }: Exchange): Translated<readonly Block[]> {
  const byId = new Map<string, ToolCall>();
  for (const call of calls) {
    if (byId.has(call.id)) return reject(`${call.param}.id`, 'is used by another call of the same turn');
    byId.set(call.id, call);
  }
  const answers = new Map<string, Block>();
  for (const result of results) {
    const at = `${result.param}.tool_call_id`;
    if (!byId.has(result.callId)) return reject(at, 'answers no tool call of the assistant turn before it');
    if (answers.has(result.callId)) return reject(at, 'answers a tool call that has a result already');
    answers.set(result.callId, result.block);
  }
  const open = calls.find((call) => !answers.has(call.id));
  if (open !== undefined)
    return reject(`${open.param}.id`, 'has no result: a tool message must follow for every tool call');
  return ok(calls.flatMap((call) => answers.get(call.id) ?? []));
}
