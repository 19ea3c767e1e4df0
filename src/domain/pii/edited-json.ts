import type { JsonObject, JsonValue } from '../kernel/json';

/** A member of an object, by its name. */
export type Member = readonly [name: string, value: JsonValue | undefined];

/** The object with each of its members edited; the same object, if none of them changes. */
export function editedMembers(
  object: JsonObject,
  edit: (name: string, value: JsonValue | undefined) => Member,
): JsonObject {
  let changed = false;
  const members = Object.entries(object).map(([name, value]) => {
    const after = edit(name, value);
    changed ||= after[0] !== name || after[1] !== value;
    return after;
  });
  return changed ? Object.fromEntries(members) : object;
}

/** The list with each of its elements edited; the same list, if none of them changes. */
export function editedElements(
  list: readonly JsonValue[],
  edit: (element: JsonValue, place: number) => JsonValue,
): readonly JsonValue[] {
  const after = list.map(edit);
  return after.every((element, place) => element === list[place]) ? list : after;
}
