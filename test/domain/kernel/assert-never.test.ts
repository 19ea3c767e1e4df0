import { assertNever } from '../../../src/domain/kernel/assert-never';

describe('assertNever', () => {
  it('throws on a value that the types said could not be', () => {
    expect(() => assertNever('odd' as never)).toThrow('Unexpected value: "odd"');
  });
});
