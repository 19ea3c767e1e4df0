import { randomBytes } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../../domain/kernel/json';
import { isJsonObject } from '../../../domain/kernel/json';

type OpenCall = Readonly<{ index: number; id: string }>;

/**
 * The tool calls of one choice in the form that the official clients merge: indexes 0, 1, 2… in order of appearance, id,
 * type, name and arguments in the first delta of each call, and never an empty id or name after it (WIRE §11 rule 4).
 */
export class ToolCallDeltas {
  private readonly byKey = new Map<number, OpenCall>();
  private last: OpenCall | null = null;
  private count = 0;

  /** Returns the same list where nothing has to change. */
  normalise(entries: readonly JsonValue[]): readonly JsonValue[] {
    let changed = false;
    const normal = entries.map((entry) => {
      const next = isJsonObject(entry) ? this.normaliseOne(entry) : entry;
      if (next !== entry) changed = true;
      return next;
    });
    return changed ? normal : entries;
  }

  private normaliseOne(entry: JsonObject): JsonObject {
    const known = this.callOf(entry);
    if (known !== null) return continued(entry, known);
    const call = { index: this.count++, id: textOf(entry.id) ?? `call_${randomBytes(12).toString('hex')}` };
    if (typeof entry.index === 'number') this.byKey.set(entry.index, call);
    this.last = call;
    return opened(entry, call);
  }

  /** The call that this delta continues; null: it starts one. */
  private callOf({ index, id, function: called }: JsonObject): OpenCall | null {
    const known = typeof index === 'number' ? (this.byKey.get(index) ?? null) : this.last;
    if (known === null) return null;
    const otherId = textOf(id) !== null && textOf(id) !== known.id;
    const named = isJsonObject(called) && textOf(called.name) !== null;
    // Some upstreams give every whole call the same index: an own id together with a name is a new one.
    return otherId && named ? null : known;
  }
}

/** The calls of a whole message: the same rules, and no indexes. */
export function wholeToolCalls(entries: readonly JsonValue[]): readonly JsonValue[] {
  let changed = false;
  const normal = entries.map((entry) => {
    if (!isJsonObject(entry)) return entry;
    const id = textOf(entry.id) ?? `call_${randomBytes(12).toString('hex')}`;
    const next = withHead(entry, id);
    if (next !== entry) changed = true;
    return next;
  });
  return changed ? normal : entries;
}

function opened(entry: JsonObject, { index, id }: OpenCall): JsonObject {
  const headed = withHead(entry, id);
  return headed.index === index ? headed : { ...headed, index };
}

/** Id, type and argument text as the first delta of a call must have them. */
function withHead(entry: JsonObject, id: string): JsonObject {
  const called = entry.function;
  if (!isJsonObject(called)) return entry.id === id ? entry : { ...entry, id };
  const type = entry.type ?? 'function';
  const args = argumentText(called.arguments);
  if (entry.id === id && entry.type === type && called.arguments === args) return entry;
  return { ...entry, id, type, function: { ...called, arguments: args } };
}

function continued(entry: JsonObject, { index }: OpenCall): JsonObject {
  const called = entry.function;
  const hasEmptyId = entry.id !== undefined && textOf(entry.id) === null;
  const hasEmptyName = isJsonObject(called) && called.name !== undefined && textOf(called.name) === null;
  if (entry.index === index && !hasEmptyId && !hasEmptyName) return entry;
  const { id, function: _called, ...rest } = entry;
  return {
    ...rest,
    index,
    // A member without a value would undo the first delta's where calls are merged.
    ...(textOf(id) === null ? {} : { id }),
    ...(isJsonObject(called) ? { function: hasEmptyName ? withoutName(called) : called } : {}),
  };
}

function withoutName({ name: _name, ...called }: JsonObject): JsonObject {
  return called;
}

/** Ollama writes arguments as an object where the standard has its text. */
function argumentText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
