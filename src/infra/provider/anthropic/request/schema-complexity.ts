import { isJsonObject, type JsonObject, type JsonValue } from '../../../../domain/kernel/json';
import { subschemasOf } from './subschemas';
import { given, isList } from './translation';

/** What Anthropic limits over all strict tools of a request. */
export type SchemaComplexity = Readonly<{ optionalParameters: number; unions: number }>;

export function complexityOf(root: JsonValue | undefined): SchemaComplexity {
  let optionalParameters = 0;
  let unions = 0;
  const pending = isJsonObject(root) ? [root] : [];
  for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
    optionalParameters += optionalIn(schema);
    unions += isUnion(schema) ? 1 : 0;
    for (const below of subschemasOf(schema)) pending.push(below.schema);
  }
  return { optionalParameters, unions };
}

function optionalIn(schema: JsonObject): number {
  const properties = given(schema, 'properties');
  const required = given(schema, 'required');
  const names = new Set<unknown>(isList(required) ? required : []);
  return isJsonObject(properties) ? Object.keys(properties).filter((name) => !names.has(name)).length : 0;
}

function isUnion(schema: JsonObject): boolean {
  return isList(schema.anyOf) || isList(schema.oneOf) || (isList(schema.type) && schema.type.length > 1);
}
