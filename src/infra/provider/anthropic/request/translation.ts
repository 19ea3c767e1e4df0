import type { ModelContract } from '../../../../domain/catalog/model-contract';
import type { JsonObject, JsonValue } from '../../../../domain/kernel/json';
import { err, type Result } from '../../../../domain/kernel/result';

/** What a translation may look at besides the request itself. */
export type TranslationContext = Readonly<{
  contract: ModelContract;
  /** The model's name on this channel. */
  upstreamName: string;
  /** Makes the caller's user id opaque before it leaves, the same way every time for one tenant. */
  hashUser: (user: string) => string;
  unsupportedParams: 'ignore' | 'reject';
}>;

export type Translation = Readonly<{
  body: JsonObject;
  /** Fields that Messages can't express and that were left out, in the order in which they were met. */
  ignoredParams: readonly string[];
}>;

/** Why a request can't be put on this wire. `gate`: another route may express it; `reject`: it is wrong on any route. */
export type Untranslatable = Readonly<{ kind: 'gate' | 'reject'; param: string; message: string }>;

export type Translated<T> = Result<T, Untranslatable>;

/** What every part of the translation shares: the model's facts, and the notes of what is left out. */
export type Scope = Readonly<{
  contract: ModelContract;
  hashUser: (user: string) => string;
  note: (param: string) => void;
}>;

export function gate(param: string, message: string): Result<never, Untranslatable> {
  return err({ kind: 'gate', param, message });
}

export function reject(param: string, message: string): Result<never, Untranslatable> {
  return err({ kind: 'reject', param, message });
}

/** Array.isArray doesn't narrow a readonly list. */
export function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** A member of the caller's JSON; null counts as absent for every optional field (WIRE §1.4). */
export function given(object: JsonObject, field: string): JsonValue | undefined {
  return Object.hasOwn(object, field) ? (object[field] ?? undefined) : undefined;
}

/** The value of every item, or the first failure. */
export function translateEach<Item, T>(
  items: readonly Item[],
  translate: (item: Item, index: number) => Translated<T>,
): Translated<readonly T[]> {
  const values: T[] = [];
  for (const [index, item] of items.entries()) {
    const translated = translate(item, index);
    if (!translated.ok) return translated;
    values.push(translated.value);
  }
  return { ok: true, value: values };
}
