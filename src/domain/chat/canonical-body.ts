import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '../kernel/json';

/**
 * A body as text that is the same whatever the order of its members, and whatever spaces and escapes it was sent with. Two
 * bodies have the same text only if they say the same. As deep as the body: its depth is bounded when it is read.
 */
export function canonicalBody(value: JsonValue): string {
  if (isJsonObject(value)) return `{${membersOf(value).join(',')}}`;
  if (isJsonList(value)) return `[${value.map(canonicalBody).join(',')}]`;
  return JSON.stringify(value);
}

function membersOf(object: JsonObject): string[] {
  const members: string[] = [];
  for (const name of Object.keys(object).sort()) {
    const value = object[name];
    if (value !== undefined) members.push(`${JSON.stringify(name)}:${canonicalBody(value)}`);
  }
  return members;
}
