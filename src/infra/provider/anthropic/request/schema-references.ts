import { isJsonObject, type JsonObject, type JsonValue } from '../../../../domain/kernel/json';
import { given, isList } from './translation';
import { subschemasOf } from './subschemas';

/** Real schemas nest a few levels. */
const MAX_LEVELS = 100;

type Walk = Readonly<{ root: JsonObject; entered: Set<JsonObject>; left: Set<JsonObject> }>;

/** What keeps a schema from being finite and self-contained, in words; undefined: nothing. Every node is seen once. */
export function referenceFault(root: JsonObject): string | undefined {
  return faultBelow(root, { root, entered: new Set(), left: new Set() }, MAX_LEVELS);
}

function faultBelow(schema: JsonObject, walk: Walk, levels: number): string | undefined {
  if (walk.left.has(schema)) return undefined;
  if (walk.entered.has(schema)) return 'is recursive';
  if (levels === 0) return `nests deeper than ${MAX_LEVELS} levels`;
  walk.entered.add(schema);
  for (const below of nextSchemas(schema, walk.root)) {
    const fault = typeof below === 'string' ? below : faultBelow(below, walk, levels - 1);
    if (fault !== undefined) return fault;
  }
  walk.left.add(schema);
  return undefined;
}

/** Schemas below and behind the reference of a schema, or what is wrong with that reference. */
function nextSchemas(schema: JsonObject, root: JsonObject): readonly (JsonObject | string)[] {
  const below = subschemasOf(schema).map((member) => member.schema);
  const reference = given(schema, '$ref');
  if (reference === undefined) return below;
  if (typeof reference !== 'string' || !reference.startsWith('#')) return ['has a $ref to another document'];
  const target = schemaAt(root, reference);
  return target === undefined
    ? [`has a $ref that leads nowhere (${reference.slice(0, 100)})`]
    : [target, ...below];
}

function schemaAt(root: JsonObject, reference: string): JsonObject | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let place: JsonValue | undefined = root;
  for (const token of reference.split('/').slice(1)) {
    place = memberAt(place, token.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return isJsonObject(place) ? place : undefined;
}

function memberAt(place: JsonValue | undefined, name: string): JsonValue | undefined {
  if (isList(place)) return place[Number(name)];
  return isJsonObject(place) ? given(place, name) : undefined;
}
