import fc from 'fast-check';
import { canonicalBody } from '../../../src/domain/chat/canonical-body';
import type { JsonValue } from '../../../src/domain/kernel/json';

const textOf = (json: string): string => canonicalBody(JSON.parse(json) as JsonValue);

describe('the canonical text of a body', () => {
  it.each([
    ['order of members', '{"a":1,"b":{"c":2,"d":3}}', '{ "b": {"d": 3, "c": 2}, "a": 1 }'],
    ['spelling of a number', '{"a":1}', '{"a":1.0e0}'],
    ['escapes', '{"a":"ü/"}', '{"a":"\\u00fc\\/"}'],
    ['a member that comes twice: the last one counts', '{"a":2}', '{"a":1,"a":2}'],
  ])('does not depend on the %s', (_, one, other) => {
    expect(textOf(one)).toBe(textOf(other));
  });

  it.each([
    ['the order of a list', '{"a":[1,2]}', '{"a":[2,1]}'],
    ['whether it is to be streamed', '{"stream":true}', '{"stream":false}'],
    ['a number and its text', '{"a":1}', '{"a":"1"}'],
    ['nothing said and null', '{}', '{"a":null}'],
    ['an empty list and an empty object', '{"a":[]}', '{"a":{}}'],
    ['where a member is', '{"a":{"b":1},"c":{}}', '{"a":{},"c":{"b":1}}'],
    ['a name with quotes in it', '{"a\\":1,\\"b":1}', '{"a":1,"b":1}'],
    ['a member named __proto__', '{"__proto__":{"a":1}}', '{}'],
  ])('depends on %s', (_, one, other) => {
    expect(textOf(one)).not.toBe(textOf(other));
  });

  it('leaves out what is not there', () => {
    expect(canonicalBody({ b: undefined, a: 1 })).toBe('{"a":1}');
  });

  it('is JSON that says the same', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(JSON.parse(textOf(json))).toEqual(JSON.parse(json));
      }),
    );
  });
});
