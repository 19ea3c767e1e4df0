import { isJsonList, isJsonObject } from '../kernel/json';
import type { JsonObject, JsonValue } from '../kernel/json';
import type { ChunkFrame, Frame } from '../stream/frame';
import { editedElements, editedMembers } from './edited-json';
import { ARGUMENTS, restored } from './restoration';
import type { Notation, Restorable } from './restoration';

/** How a stream's placeholders are replaced. `content`: how its text is to be read. */
export type StreamRule = Readonly<{ restorable: Restorable; content: Notation }>;

/**
 * What of a stream is withheld: the ends of pieces that may be the beginning of a placeholder, by the voice that said them
 * (a choice's text, its reasoning, the arguments of one of its calls).
 */
export type StreamRestoration = Readonly<{
  withheld: ReadonlyMap<string, string>;
  /** The newest chunk, for the head of one that we have to add. */
  last: ChunkFrame | null;
}>;

export const NOTHING_WITHHELD: StreamRestoration = { withheld: new Map(), last: null };

/** The frames with every placeholder restored, also where a placeholder comes in pieces. */
export function restoreFrames(
  before: StreamRestoration,
  frames: readonly Frame[],
  rule: StreamRule,
): Readonly<{ state: StreamRestoration; frames: readonly Frame[] }> {
  const withheld = new Map(before.withheld);
  let { last } = before;
  const after: Frame[] = [];
  for (const frame of frames) {
    if (frame.kind === 'chunk') {
      last = restoredFrame(frame, withheld, rule);
      after.push(last);
    } else {
      if (withheld.size > 0 && last !== null) after.push(rest(last, withheld));
      after.push(frame);
    }
  }
  return { state: { withheld, last }, frames: after };
}

type Withheld = Map<string, string>;

function restoredFrame(frame: ChunkFrame, withheld: Withheld, rule: StreamRule): ChunkFrame {
  const { choices } = frame.chunk;
  if (!isJsonList(choices)) return frame;
  const after = editedElements(choices, (choice) =>
    isJsonObject(choice) ? restoredChoice(choice, withheld, rule) : choice,
  );
  if (after === choices) return frame;
  const chunk = { ...frame.chunk, choices: after };
  return { ...frame, chunk, text: JSON.stringify(chunk) };
}

/** With its finish reason a choice has said everything, so nothing is withheld any longer. */
function restoredChoice(choice: JsonObject, withheld: Withheld, rule: StreamRule): JsonObject {
  const index = indexOf(choice, 0);
  const isOver = choice.finish_reason !== null && choice.finish_reason !== undefined;
  const said = isJsonObject(choice.delta) ? choice.delta : {};
  let delta = restoredDelta(said, [index], { withheld, rule, isOver });
  if (isOver) delta = withRest(delta, index, withheld);
  return delta === said ? choice : { ...choice, delta };
}

/** The wire's own number of a choice or a call; where it has none, its place in the list. */
function indexOf({ index }: JsonObject, place: number): string {
  return String(typeof index === 'number' ? index : place);
}

/** Members of a delta that are text, in the wire's own words and in those that others have added. */
const SPOKEN: ReadonlySet<string> = new Set([
  'content',
  'reasoning_content',
  'reasoning',
  'refusal',
  'input',
]);

type Voice = readonly string[];
type Restoring = Readonly<{ withheld: Withheld; rule: StreamRule; isOver: boolean }>;

function restoredDelta(delta: JsonObject, voice: Voice, restoring: Restoring): JsonObject {
  return editedMembers(delta, (name, value) => [
    name,
    value === undefined ? value : restoredMember(value, [...voice, name], restoring),
  ]);
}

function restoredMember(value: JsonValue, voice: Voice, restoring: Restoring): JsonValue {
  const name = voice.at(-1) ?? '';
  if (typeof value === 'string') {
    if (name === ARGUMENTS) return restoredPiece(value, voice, 'json', restoring);
    return SPOKEN.has(name) ? restoredPiece(value, voice, restoring.rule.content, restoring) : value;
  }
  if (isJsonList(value)) {
    return editedElements(value, (one, place) =>
      isJsonObject(one) ? restoredDelta(one, [...voice, indexOf(one, place)], restoring) : one,
    );
  }
  return isJsonObject(value) ? restoredDelta(value, voice, restoring) : value;
}

function restoredPiece(piece: string, voice: Voice, notation: Notation, restoring: Restoring): string {
  const { withheld, rule, isOver } = restoring;
  const key = JSON.stringify(voice);
  const text = (withheld.get(key) ?? '') + piece;
  const end = isOver ? text.length : startOfUnfinished(text, rule.restorable);
  if (end < text.length) withheld.set(key, text.slice(end));
  else withheld.delete(key);
  return restored(text.slice(0, end), rule.restorable, notation);
}

/** Where the text ends in what may become a placeholder; its length, if it doesn't. */
function startOfUnfinished(text: string, restorable: Restorable): number {
  const start = text.lastIndexOf('[');
  if (start < 0) return text.length;
  const tail = text.slice(start);
  for (const placeholder of restorable.keys()) {
    if (tail.length < placeholder.length && placeholder.startsWith(tail)) return start;
  }
  return text.length;
}

/** The choice's delta with what was withheld of other voices than those that it has itself. */
function withRest(delta: JsonObject, choice: string, withheld: Withheld): JsonObject {
  let after = delta;
  for (const [key, text] of withheld) {
    const voice = JSON.parse(key) as Voice;
    if (voice[0] !== choice) continue;
    withheld.delete(key);
    after = { ...after, ...saying(voice.slice(1), text, after) };
  }
  return after;
}

/** A delta that says the text with this voice, e.g. `{"tool_calls":[{"index":1,"function":{"arguments":"…"}}]}`. */
function saying(path: Voice, text: string, delta: JsonObject): JsonObject {
  const [name = '', ...inner] = path;
  if (inner.length === 0) return { [name]: text };
  const [place = '', ...deeper] = inner;
  // The path of a member is a list's only where a number follows.
  if (!/^\d+$/.test(place)) return { [name]: saying(inner, text, {}) };
  const list = delta[name];
  return {
    [name]: [...(isJsonList(list) ? list : []), { index: Number(place), ...saying(deeper, text, {}) }],
  };
}

/** What is left at the end of a stream that told no finish reason, in a chunk of its own. */
function rest(last: ChunkFrame, withheld: Withheld): ChunkFrame {
  const choices = [...new Set([...withheld.keys()].map((key) => (JSON.parse(key) as Voice)[0] ?? '0'))];
  const { usage: _usage, ...head } = last.chunk;
  const chunk: JsonObject = {
    ...head,
    choices: choices.map((index) => ({
      index: Number(index),
      delta: withRest({}, index, withheld),
      finish_reason: null,
    })),
  };
  return {
    ...last,
    weight: 'decisive',
    chunk,
    text: JSON.stringify(chunk),
    outputChars: 0,
    finishReason: null,
    usage: null,
  };
}
