import { MAX_TOKENS, tokenCount } from '../../../src/domain/interaction/token-count';

describe('a number of tokens that a provider reports', () => {
  it.each([0, 1, 128_000, MAX_TOKENS])('may be %d', (reported) => {
    expect(tokenCount(reported)).toBe(reported);
  });

  it.each([-1, 1.5, NaN, Infinity, MAX_TOKENS + 1, 2 ** 53, '3', null, undefined, [1], {}])(
    'is never %p',
    (reported) => {
      expect(tokenCount(reported)).toBeNull();
    },
  );
});
