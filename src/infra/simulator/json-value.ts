/** JSON as it arrives from a caller: any shape, so that every reader has to look before it believes. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [member: string]: JsonValue | undefined;
}

/** The value as an object, or undefined for everything else (arrays and null included). */
export function asObject(value: JsonValue | undefined): JsonObject | undefined {
  if (typeof value !== 'object' || value === null || isArray(value)) return undefined;
  return value;
}

/** The value as a list; everything else reads as an empty one. */
export function asList(value: JsonValue | undefined): readonly JsonValue[] {
  return isArray(value) ? value : [];
}

/** The objects in a list; members of another kind are left out. */
export function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return asList(value).flatMap((member) => {
    const object = asObject(member);
    return object ? [object] : [];
  });
}

/** The strings in a list; members of another kind are left out. */
export function textsIn(value: JsonValue | undefined): readonly string[] {
  return asList(value).filter((member) => typeof member === 'string');
}

export function asText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asNumber(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Array.isArray doesn't narrow a readonly list. */
export function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The parsed text, or undefined when it isn't JSON. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
