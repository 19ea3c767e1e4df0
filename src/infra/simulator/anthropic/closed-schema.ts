import { asNumber, asObject, asText, objectsIn, type JsonObject } from '../json-value';

const UNSUPPORTED = ['minimum', 'maximum', 'multipleOf', 'minLength', 'maxLength', 'maxItems'];

/** Why Anthropic's structured output refuses a schema: an open object, or a keyword that it can't enforce. */
export function closedSchemaFault(schema: JsonObject): string | undefined {
  return ownFault(schema) ?? firstFault(subschemasOf(schema));
}

function firstFault(schemas: readonly JsonObject[]): string | undefined {
  for (const schema of schemas) {
    const fault = closedSchemaFault(schema);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function ownFault(schema: JsonObject): string | undefined {
  const type = asText(schema.type) ?? 'any';
  if (type === 'object' && schema.additionalProperties !== false) {
    return "For 'object' type, 'additionalProperties' must be explicitly set to false";
  }
  const keyword = UNSUPPORTED.find((name) => schema[name] !== undefined);
  if (keyword !== undefined) return `For '${type}' type, property '${keyword}' is not supported`;
  return (asNumber(schema.minItems) ?? 0) > 1
    ? "For 'array' type, 'minItems' values other than 0 or 1 are not supported"
    : undefined;
}

function subschemasOf(schema: JsonObject): readonly JsonObject[] {
  const named = [schema.properties, schema.$defs, schema.definitions].flatMap((group) =>
    objectsIn(Object.values(asObject(group) ?? {}).flatMap((value) => (value === undefined ? [] : [value]))),
  );
  const listed = [schema.anyOf, schema.oneOf, schema.allOf, schema.items].flatMap((group) =>
    objectsIn(group),
  );
  const items = asObject(schema.items);
  return [...named, ...listed, ...(items ? [items] : [])];
}
