import { err, ok } from '../../../src/domain/kernel/result';

describe('result', () => {
  it('holds a value or an error', () => {
    expect(ok(7)).toEqual({ ok: true, value: 7 });
    expect(err('late')).toEqual({ ok: false, error: 'late' });
  });
});
