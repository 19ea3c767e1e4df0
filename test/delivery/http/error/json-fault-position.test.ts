import fc from 'fast-check';
import { jsonFaultPosition } from '../../../../src/delivery/http/error/json-fault-position';

describe('position of a fault in JSON', () => {
  it.each([
    ['{"a": oops}', 6],
    ['[1,]', 3],
    ['{"a":1,}', 7],
    ['{"a":1}}', 7],
    ['{"a" 1}', 5],
    ['{a:1}', 1],
    ["{'a':1}", 1],
    ['[1 2]', 3],
    ['[01]', 2],
    ['[1.]', 2],
    ['["a\nb"]', 1],
    ['["\\x"]', 1],
    ['{"a":1', 6],
    ['{"a":', 5],
    ['[', 1],
    ['', 0],
    ['  \n nope', 4],
    ['[tru]', 1],
    ['[{"a":[}]', 7],
    [`${'['.repeat(100_000)}x`, 100_000],
  ])('of case %# is where its fault is', (text, position) => {
    expect(jsonFaultPosition(text)).toBe(position);
  });

  it('is the end of every text that is JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom('', ' ', '\n\t'), (text, space) => {
        expect(jsonFaultPosition(space + text + space)).toBe(space.length * 2 + text.length);
      }),
    );
  });

  it('is within every text that is cut short', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.nat(), (json, cut) => {
        const text = `{"a":${json}`.slice(0, 5 + (cut % (json.length + 1)));

        expect(jsonFaultPosition(text)).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
