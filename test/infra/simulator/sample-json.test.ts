import type { JsonObject, JsonValue } from '../../../src/infra/simulator/json-value';
import { sampleFor } from '../../../src/infra/simulator/sample-json';

describe('sample JSON', () => {
  it.each<[string, JsonObject, JsonValue]>([
    [
      'required properties only',
      { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['a'] },
      { a: 'sample' },
    ],
    ['a constant', { const: 7 }, 7],
    ['the first of an enumeration', { enum: ['cm', 'in'] }, 'cm'],
    ['the default', { type: 'string', default: 'd' }, 'd'],
    ['the first alternative', { anyOf: [{ type: 'boolean' }, { type: 'null' }] }, true],
    ['the type that is not null', { type: ['null', 'integer'] }, 1],
    ['numbers within their bounds', { type: 'integer', minimum: 18, maximum: 20 }, 18],
    ['as many items as wanted', { type: 'array', items: { type: 'number' }, minItems: 2 }, [1, 1]],
    ['a formatted string', { type: 'string', format: 'date' }, '2026-01-31'],
    ['a string of the wanted length', { type: 'string', minLength: 8 }, 'samplexx'],
    [
      'what a local reference names',
      {
        $ref: '#/$defs/peak',
        $defs: { peak: { type: 'object', properties: { m: { type: 'integer' } }, required: ['m'] } },
      },
      { m: 1 },
    ],
    ['parts that are merged', { allOf: [{ type: 'string' }, { maxLength: 3 }] }, 'sam'],
  ])('has %s', (_, schema, expected) => {
    expect(sampleFor(schema)).toEqual(expected);
  });

  it('ends on a schema that contains itself', () => {
    const schema = { type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] };

    expect(JSON.stringify(sampleFor(schema)).length).toBeLessThan(500);
  });
});
