import type { JsonObject } from '../../../../../src/domain/kernel/json';
import { failureOf, membersOf, notesOf } from '../claude-contract';

const SCHEMA = 'response_format.json_schema.schema';
const format = (schema: JsonObject, strict?: boolean): JsonObject => ({
  response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: strict ?? null } },
});
const schemaOf = (schema: JsonObject, strict?: boolean): unknown => {
  const { output_config } = membersOf(format(schema, strict)) as {
    output_config?: { format?: { schema?: unknown } };
  };
  return output_config?.format?.schema;
};
const closed = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  additionalProperties: false,
});

describe('response_format', () => {
  it.each<[string, JsonObject]>([
    ['absent', {}],
    ['text', { response_format: { type: 'text' } }],
  ])('%s says nothing', (_name, body) => {
    expect(membersOf(body)).toEqual({});
  });

  it('json_schema is native structured output, and joins the effort', () => {
    const body = { ...format(closed({ a: { type: 'string' } }), true), reasoning_effort: 'low' };

    expect(membersOf(body, { thinking: 'always', effortLevels: ['low'] })).toEqual({
      output_config: {
        effort: 'low',
        format: { type: 'json_schema', schema: closed({ a: { type: 'string' } }) },
      },
    });
  });

  it.each<[string, JsonObject, string]>([
    ['json_object', { response_format: { type: 'json_object' } }, 'gate response_format.type'],
    ['an unknown type', { response_format: { type: 'xml' } }, 'reject response_format.type'],
    ['no object', { response_format: 'text' }, 'reject response_format.type'],
    ['no json_schema', { response_format: { type: 'json_schema' } }, 'reject response_format.json_schema'],
    ['no schema', { response_format: { type: 'json_schema', json_schema: { name: 'x' } } }, `gate ${SCHEMA}`],
  ])('fails for %s', (_name, body, failure) => {
    expect(failureOf(body)).toBe(failure);
  });

  it('is for another route where the model guarantees no schema', () => {
    expect(failureOf(format({}), { jsonSchema: false })).toBe('gate response_format');
  });
});

describe('schemas', () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      'objects everywhere',
      { type: 'object', properties: { a: { properties: {} } } },
      closed({ a: { properties: {}, additionalProperties: false } }),
    ],
    [
      'objects in lists, unions and definitions',
      {
        type: 'object',
        properties: {
          a: { items: { type: 'object' } },
          b: { anyOf: [{ type: ['object', 'null'] }] },
          c: { $ref: '#/$defs/d' },
        },
        $defs: { d: { type: 'object' } },
      },
      {
        ...closed({
          a: { items: { type: 'object', additionalProperties: false } },
          b: { anyOf: [{ type: ['object', 'null'], additionalProperties: false }] },
          c: { $ref: '#/$defs/d' },
        }),
        $defs: { d: { type: 'object', additionalProperties: false } },
      },
    ],
    [
      'nothing that is data',
      closed({ a: { enum: ['object'], default: { type: 'object' } } }),
      closed({ a: { enum: ['object'], default: { type: 'object' } } }),
    ],
    [
      'no property that is named like a keyword',
      closed({ minimum: { type: 'number' }, format: { type: 'string' } }),
      closed({ minimum: { type: 'number' }, format: { type: 'string' } }),
    ],
    [
      'known formats and plain patterns',
      closed({ a: { type: 'string', format: 'date-time', pattern: '^a(?:b)+$' }, b: { minItems: 1 } }),
      closed({ a: { type: 'string', format: 'date-time', pattern: '^a(?:b)+$' }, b: { minItems: 1 } }),
    ],
    [
      'one definition used twice',
      { ...closed({ a: { $ref: '#/$defs/x' }, b: { $ref: '#/$defs/x' } }), $defs: { x: { type: 'string' } } },
      { ...closed({ a: { $ref: '#/$defs/x' }, b: { $ref: '#/$defs/x' } }), $defs: { x: { type: 'string' } } },
    ],
  ])('are closed in strict mode: %s', (_name, schema, expected) => {
    expect(schemaOf(schema, true)).toEqual(expected);
    expect(notesOf(format(schema, true))).toEqual([]);
  });

  it.each<[string, JsonObject, JsonObject]>([
    [
      'minimum and maximum',
      { type: 'number', minimum: 1, maximum: 5 },
      { type: 'number', description: 'minimum: 1, maximum: 5' },
    ],
    [
      'multipleOf',
      { type: 'number', multipleOf: 2, description: 'Even' },
      { type: 'number', description: 'Even (multipleOf: 2)' },
    ],
    ['minLength, maxLength', { minLength: 1, maxLength: 2 }, { description: 'minLength: 1, maxLength: 2' }],
    ['minItems above 1, maxItems', { minItems: 2, maxItems: 3 }, { description: 'minItems: 2, maxItems: 3' }],
    [
      'an unknown format',
      { type: 'string', format: 'phone' },
      { type: 'string', description: 'format: "phone"' },
    ],
    ['look-ahead', { pattern: '^(?=a)' }, { description: 'pattern: "^(?=a)"' }],
    ['look-behind', { pattern: '(?<!a)b' }, { description: 'pattern: "(?<!a)b"' }],
    ['a back-reference', { pattern: '(a)\\1' }, { description: 'pattern: "(a)\\\\1"' }],
    ['not', { not: { type: 'object' } }, { description: 'not: {"type":"object"}' }],
  ])('become descriptions where they only narrow, unless strict: %s', (_name, schema, expected) => {
    expect(schemaOf(closed({ a: schema }))).toEqual(closed({ a: expected }));
    expect(notesOf(format(closed({ a: schema })))).toEqual([SCHEMA]);
    expect(failureOf(format(closed({ a: schema }), true))).toBe(`gate ${SCHEMA}`);
  });

  const deep = (levels: number): JsonObject => (levels === 0 ? {} : { items: deep(levels - 1) });

  it.each<[string, JsonObject]>([
    ['additionalProperties: true', { type: 'object', additionalProperties: true }],
    ['a map', { type: 'object', additionalProperties: { type: 'string' } }],
    ['patternProperties', { type: 'object', patternProperties: { '^a': {} } }],
    ['an enum of objects', { enum: [{ a: 1 }] }],
    ['a const of a list', { const: [1] }],
    ['allOf with a reference', { allOf: [{ $ref: '#/$defs/a' }], $defs: { a: {} } }],
    ['recursion at the root', { type: 'object', properties: { child: { $ref: '#' } } }],
    [
      'recursion in a definition',
      { $ref: '#/$defs/a', $defs: { a: { properties: { next: { $ref: '#/$defs/a' } } } } },
    ],
    [
      'recursion over two definitions',
      {
        $defs: { a: { items: { $ref: '#/$defs/b' } }, b: { items: { $ref: '#/$defs/a' } } },
        $ref: '#/$defs/a',
      },
    ],
    ['another document', { $ref: 'https://x.test/schema.json' }],
    ['a reference to nowhere', { $ref: '#/$defs/none' }],
    ['an anchor', { $ref: '#name' }],
    ['thousands of levels', deep(3_000)],
  ])('are for another route in either mode: %s', (_name, schema) => {
    expect(failureOf(format(schema))).toBe(`gate ${SCHEMA}`);
    expect(failureOf(format(schema, true))).toBe(`gate ${SCHEMA}`);
  });

  it('are told apart by what and where', () => {
    const schema = closed({ list: { items: { minimum: 3 } } });

    expect(failureOf(format(schema, true))).toBe(`gate ${SCHEMA}`);
    expect(schemaOf(schema)).toEqual(closed({ list: { items: { description: 'minimum: 3' } } }));
  });
});
