import { isJsonObject, type JsonObject, type JsonValue } from '../../../../domain/kernel/json';
import { isList } from './translation';

/** Where a JSON schema holds further schemas. Anything else in it is data, whatever it looks like. */
const NAMED = new Set(['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas']);
const LISTED = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const SINGLE = new Set([
  'items',
  'additionalItems',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
]);

export type Subschema = Readonly<{ path: string; schema: JsonObject }>;

export function subschemasOf(schema: JsonObject, path = ''): readonly Subschema[] {
  return Object.entries(schema).flatMap(([keyword, value]) =>
    membersOf(keyword, value, `${path}/${keyword}`),
  );
}

function membersOf(keyword: string, value: JsonValue | undefined, path: string): readonly Subschema[] {
  if (NAMED.has(keyword) && isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, schema]) => one(schema, `${path}/${name}`));
  }
  if ((LISTED.has(keyword) || keyword === 'items') && isList(value)) {
    return value.flatMap((schema, index) => one(schema, `${path}/${index}`));
  }
  return SINGLE.has(keyword) || keyword === 'additionalProperties' ? one(value, path) : [];
}

function one(schema: JsonValue | undefined, path: string): readonly Subschema[] {
  return isJsonObject(schema) ? [{ path, schema }] : [];
}

/** The schema with `change` applied to each schema directly below it. */
export function mapSubschemas(schema: JsonObject, change: (below: JsonObject) => JsonObject): JsonObject {
  const changed = (value: JsonValue | undefined): JsonValue | undefined =>
    isJsonObject(value) ? change(value) : value;
  const member = (keyword: string, value: JsonValue | undefined): JsonValue | undefined => {
    if (NAMED.has(keyword) && isJsonObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, below]) => [name, changed(below)]));
    }
    if ((LISTED.has(keyword) || keyword === 'items') && isList(value)) {
      return value.map((below) => (isJsonObject(below) ? change(below) : below));
    }
    return SINGLE.has(keyword) ? changed(value) : value;
  };
  // fromEntries defines members instead of assigning them, so that a property named `__proto__` stays one.
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, member(keyword, value)]),
  );
}
