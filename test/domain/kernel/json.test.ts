import { isJsonObject } from '../../../src/domain/kernel/json';

describe('JSON object', () => {
  it.each([
    { name: 'an object', value: {}, expected: true },
    { name: 'an array', value: [], expected: false },
    { name: 'null', value: null, expected: false },
    { name: 'a text', value: '{}', expected: false },
    { name: 'nothing', value: undefined, expected: false },
  ])('$name is one: $expected', ({ value, expected }) => {
    expect(isJsonObject(value)).toBe(expected);
  });
});
