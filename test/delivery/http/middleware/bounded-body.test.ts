import { exceededBound } from '../../../../src/delivery/http/middleware/bounded-body';

const BOUNDS = { maxDepth: 3, maxArrayLength: 2 };

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

describe('bounds of a body', () => {
  it.each([
    ['no body', undefined],
    ['null', null],
    ['text', 'text'],
    ['as many levels as allowed', nested(3)],
    ['objects and arrays in turn', { a: [{ b: 1 }] }],
    ['as many elements as allowed', [1, 2]],
    ['more members than elements are allowed', { a: 1, b: 2, c: 3 }],
  ])('hold %s', (_case, body) => {
    expect(exceededBound(body, BOUNDS)).toBeNull();
  });

  it.each([
    ['one level too many', nested(4), 'The body is nested more than 3 levels deep.'],
    ['a hundred thousand levels', nested(100_000), 'The body is nested more than 3 levels deep.'],
    ['one element too many', [1, 2, 3], 'The body has an array of more than 2 elements.'],
    ['a long array deep inside', { a: { b: [1, 2, 3] } }, 'The body has an array of more than 2 elements.'],
  ])('refuse %s', (_case, body, message) => {
    expect(exceededBound(body, BOUNDS)).toBe(message);
  });
});
