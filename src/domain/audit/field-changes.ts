import { isJsonObject, type JsonObject, type JsonValue } from '../kernel/json';

/** A field by its path, e.g. `eligibility.allowedRegions`. */
export type FieldChange = Readonly<{
  field: string;
  /** Null: only that it changed is on record, since its values could hold a secret. */
  values: Readonly<{ from: JsonValue; to: JsonValue }> | null;
}>;

/**
 * The fields in which two states of an object differ, by name; undefined: it wasn't there, or is gone. `shown` names what may be
 * told with all that lies in it, by its path; of all others, also of those that a later version adds, only the names are.
 */
export function fieldChanges(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  shown: readonly string[],
): readonly FieldChange[] {
  const from = leavesOf(before ?? {});
  const to = leavesOf(after ?? {});
  const fields = [...new Set([...from.keys(), ...to.keys()])].sort();
  return fields.flatMap((field) => {
    const values = { from: from.get(field) ?? null, to: to.get(field) ?? null };
    if (JSON.stringify(values.from) === JSON.stringify(values.to)) return [];
    return [{ field, values: shown.some((name) => isWithin(field, name)) ? values : null }];
  });
}

/** Whether a path is the one that is shown, or leads on from it. */
function isWithin(field: string, shown: string): boolean {
  return field === shown || field.startsWith(`${shown}.`);
}

/** Whatever is no object, by its path; a list is one value. */
function leavesOf(object: JsonObject): ReadonlyMap<string, JsonValue> {
  const leaves = new Map<string, JsonValue>();
  for (const [name, value] of Object.entries(object)) {
    if (isJsonObject(value)) {
      for (const [path, leaf] of leavesOf(value)) leaves.set(`${name}.${path}`, leaf);
    } else if (value !== undefined) {
      leaves.set(name, value);
    }
  }
  return leaves;
}
