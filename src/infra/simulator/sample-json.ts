import {
  asList,
  asNumber,
  asObject,
  asText,
  isArray,
  objectsIn,
  textsIn,
  type JsonObject,
  type JsonValue,
} from './json-value';

/** A recursive schema ends here; deep enough for every schema that a person writes. */
const MAX_DEPTH = 12;

const STRING_FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T08:00:00Z',
  time: '08:00:00Z',
  duration: 'PT1H',
  email: 'snow@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000001',
};

/**
 * A value that satisfies a simple JSON schema: required properties only, first alternative of every choice, local references
 * followed. Patterns and `allOf` beyond merging are out of reach.
 */
export function sampleFor(schema: JsonObject): JsonValue {
  return sample(schema, schema, 0);
}

function sample(schema: JsonObject, root: JsonObject, depth: number): JsonValue {
  if (depth > MAX_DEPTH) return null;
  const fixed = fixedValue(schema);
  if (fixed !== undefined) return fixed;
  const indirect = indirectSchema(schema, root);
  return indirect ? sample(indirect, root, depth + 1) : sampleOfType(typeOf(schema), schema, root, depth);
}

function fixedValue(schema: JsonObject): JsonValue | undefined {
  if (schema.const !== undefined) return schema.const;
  return [schema.enum, schema.examples].flatMap((values) => asList(values).slice(0, 1))[0] ?? schema.default;
}

function indirectSchema(schema: JsonObject, root: JsonObject): JsonObject | undefined {
  const reference = asText(schema.$ref);
  if (reference !== undefined) return resolve(reference, root);
  const alternative = asObject(asList(schema.anyOf)[0] ?? asList(schema.oneOf)[0]);
  if (alternative) return alternative;
  const parts = objectsIn(schema.allOf);
  return parts.length > 0 ? (Object.assign({}, ...parts) as JsonObject) : undefined;
}

function resolve(reference: string, root: JsonObject): JsonObject {
  const path = reference
    .replace(/^#\/?/, '')
    .split('/')
    .filter((part) => part !== '');
  const found = path.reduce<JsonValue | undefined>((value, part) => asObject(value)?.[part], root);
  return asObject(found) ?? {};
}

function typeOf(schema: JsonObject): string {
  const declared = isArray(schema.type) ? schema.type.find((type) => type !== 'null') : schema.type;
  return asText(declared) ?? (schema.properties === undefined ? 'string' : 'object');
}

function sampleOfType(type: string, schema: JsonObject, root: JsonObject, depth: number): JsonValue {
  switch (type) {
    case 'object':
      return sampleObject(schema, root, depth);
    case 'array':
      return sampleArray(schema, root, depth);
    case 'integer':
      return Math.ceil(sampleNumber(schema));
    case 'number':
      return sampleNumber(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return sampleString(schema);
  }
}

function sampleObject(schema: JsonObject, root: JsonObject, depth: number): JsonObject {
  const properties = asObject(schema.properties) ?? {};
  const required = textsIn(schema.required);
  return Object.fromEntries(
    required.map((name) => [name, sample(asObject(properties[name]) ?? {}, root, depth + 1)]),
  );
}

function sampleArray(schema: JsonObject, root: JsonObject, depth: number): JsonValue {
  const length = Math.min(Math.max(asNumber(schema.minItems) ?? 1, 1), 100);
  return Array.from({ length }, () => sample(asObject(schema.items) ?? {}, root, depth + 1));
}

function sampleNumber(schema: JsonObject): number {
  const above = asNumber(schema.exclusiveMinimum);
  const floor = asNumber(schema.minimum) ?? (above === undefined ? 1 : above + 1);
  return Math.min(Math.max(floor, 1), asNumber(schema.maximum) ?? Infinity);
}

function sampleString(schema: JsonObject): string {
  const text = STRING_FORMATS[asText(schema.format) ?? ''] ?? 'sample';
  const padded = text.padEnd(asNumber(schema.minLength) ?? 0, 'x');
  return padded.slice(0, asNumber(schema.maxLength) ?? padded.length);
}
