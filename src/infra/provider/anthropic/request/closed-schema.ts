import { isJsonObject, type JsonObject, type JsonValue } from '../../../../domain/kernel/json';
import { ok } from '../../../../domain/kernel/result';
import { referenceFault } from './schema-references';
import { mapSubschemas, subschemasOf, type Subschema } from './subschemas';
import { gate, given, isList, type Translated } from './translation';

/** `strict`: the schema as it is, or not at all. `lenient`: what only narrows it may become a description (WIRE §6). */
export type SchemaMode = 'strict' | 'lenient';

export type ClosedSchema = Readonly<{ schema: JsonObject; narrowed: boolean }>;

/** String formats that Anthropic's structured outputs know. */
const FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'];
/** Look-around, and back-references by number or by name. */
const UNSUPPORTED_PATTERN = /\(\?<?[=!]|\\[1-9]|\\k</;

const always = (): boolean => true;

/** Keywords that Anthropic can't enforce and that only narrow what a schema allows; the test tells when. */
const NARROWING: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  minimum: always,
  maximum: always,
  exclusiveMinimum: always,
  exclusiveMaximum: always,
  multipleOf: always,
  minLength: always,
  maxLength: always,
  minItems: (value) => typeof value !== 'number' || value > 1,
  maxItems: always,
  uniqueItems: always,
  contains: always,
  minContains: always,
  maxContains: always,
  minProperties: always,
  maxProperties: always,
  propertyNames: always,
  dependentRequired: always,
  dependentSchemas: always,
  not: always,
  if: always,
  then: always,
  else: always,
  pattern: (value) => typeof value !== 'string' || UNSUPPORTED_PATTERN.test(value),
  format: (value) => typeof value !== 'string' || !FORMATS.includes(value),
};

/** The schema as Anthropic's structured output accepts it, or why it can't be put that way. */
export function closedSchema(root: JsonObject, param: string, mode: SchemaMode): Translated<ClosedSchema> {
  const fault = referenceFault(root);
  if (fault !== undefined) return gate(param, `${fault}, which this model can't guarantee`);
  let narrowed = false;
  const pending: Subschema[] = [{ path: '', schema: root }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const keywords = narrowingKeywords(next.schema);
    const unsupported = structuralFault(next.schema) ?? (mode === 'strict' ? keywords[0] : undefined);
    if (unsupported !== undefined)
      return gate(param, `has ${unsupported} at ${next.path || '/'}, which this model can't guarantee`);
    narrowed ||= keywords.length > 0;
    const { schema, path } = next;
    for (const below of subschemasOf(without(schema, keywords), path)) pending.push(below);
  }
  return ok({ schema: closed(root), narrowed });
}

function narrowingKeywords(schema: JsonObject): readonly string[] {
  return Object.keys(schema).filter((keyword) => {
    const value = given(schema, keyword);
    return value !== undefined && Object.hasOwn(NARROWING, keyword) && NARROWING[keyword]?.(value) === true;
  });
}

/** What can't be left out without changing what the caller's program may rely on. */
function structuralFault(schema: JsonObject): string | undefined {
  const extra = given(schema, 'additionalProperties');
  if (extra !== undefined && extra !== false) return 'additionalProperties other than false';
  if (given(schema, 'patternProperties') !== undefined) return 'patternProperties';
  const { enum: values, allOf } = schema;
  if (isList(values) && values.some(isComplex)) return 'enum values that are objects or lists';
  if (isComplex(given(schema, 'const'))) return 'a const that is an object or a list';
  const hasReference =
    isList(allOf) && allOf.some((member) => isJsonObject(member) && given(member, '$ref') !== undefined);
  return hasReference ? 'allOf with $ref' : undefined;
}

function isComplex(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null;
}

function closed(schema: JsonObject): JsonObject {
  const keywords = narrowingKeywords(schema);
  const described =
    keywords.length === 0 ? schema : { ...without(schema, keywords), ...description(schema, keywords) };
  const below = mapSubschemas(described, closed);
  return isObjectSchema(below) ? { ...below, additionalProperties: false } : below;
}

function isObjectSchema(schema: JsonObject): boolean {
  const { type } = schema;
  const named = type === 'object' || (isList(type) && type.includes('object'));
  return named || given(schema, 'properties') !== undefined;
}

function without(schema: JsonObject, keywords: readonly string[]): JsonObject {
  if (keywords.length === 0) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}

/** The model still reads what it isn't held to. */
function description(schema: JsonObject, keywords: readonly string[]): JsonObject {
  const rules = keywords.map((keyword) => `${keyword}: ${JSON.stringify(schema[keyword])}`).join(', ');
  const own = given(schema, 'description');
  return { description: typeof own === 'string' ? `${own} (${rules})` : rules };
}
