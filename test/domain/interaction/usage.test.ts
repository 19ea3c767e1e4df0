import { mergeUsage, NO_USAGE } from '../../../src/domain/interaction/usage';
import type { Usage } from '../../../src/domain/interaction/usage';

function reported(given: Partial<Usage>): Usage {
  return { ...NO_USAGE, source: 'provider', ...given };
}

describe('usage of a stream', () => {
  it('is the last value of each field, not the sum (B34)', () => {
    const start = reported({ inputTokens: 580, cachedInputTokens: 500, outputTokens: 2 });
    const middle = reported({ outputTokens: 30 });
    const end = reported({ inputTokens: 580, cachedInputTokens: 500, outputTokens: 41 });

    expect(mergeUsage(mergeUsage(start, middle), end)).toMatchObject({
      inputTokens: 580,
      cachedInputTokens: 500,
      outputTokens: 41,
    });
  });

  it('may come at the end only, after zeros (B34)', () => {
    const start = reported({ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 });
    const end = reported({ inputTokens: 580, cachedInputTokens: 500, outputTokens: 41 });

    expect(mergeUsage(start, end)).toMatchObject({
      inputTokens: 580,
      cachedInputTokens: 500,
      outputTokens: 41,
    });
  });

  it('may run along with every chunk (B34)', () => {
    const chunks = [1, 2, 3, 4].map((outputTokens) => reported({ inputTokens: 580, outputTokens }));

    expect(chunks.reduce(mergeUsage, NO_USAGE)).toMatchObject({ inputTokens: 580, outputTokens: 4 });
  });

  it.each([
    { name: 'an absent field keeps the earlier value', earlier: 80, later: null, expected: 80 },
    { name: 'an explicit 0 is a value', earlier: 80, later: 0, expected: 0 },
    { name: 'a first value after nothing counts', earlier: null, later: 7, expected: 7 },
  ])('$name', ({ earlier, later, expected }) => {
    const fields = [
      'inputTokens',
      'cachedInputTokens',
      'cacheWriteTokens',
      'outputTokens',
      'reasoningTokens',
    ] as const;
    const allFields = (value: number | null): Usage =>
      reported(Object.fromEntries(fields.map((field) => [field, value])));

    const merged = mergeUsage(allFields(earlier), allFields(later));

    expect(fields.map((field) => merged[field])).toEqual(Array(5).fill(expected));
  });

  it('is left as it was by a report of nothing', () => {
    const earlier = reported({ outputTokens: 3 });

    expect(mergeUsage(earlier, NO_USAGE)).toBe(earlier);
  });

  it('keeps every raw counter as evidence', () => {
    const first = reported({ raw: { input_tokens: 80, output_tokens: 2 } });
    const second = reported({ raw: { output_tokens: 41 } });

    expect(mergeUsage(first, second).raw).toEqual({ input_tokens: 80, output_tokens: 41 });
    expect(mergeUsage(first, reported({})).raw).toEqual({ input_tokens: 80, output_tokens: 2 });
    expect(mergeUsage(NO_USAGE, second).raw).toEqual({ output_tokens: 41 });
  });

  it('takes the source of the last report', () => {
    expect(mergeUsage(reported({}), { ...NO_USAGE, source: 'estimated' }).source).toBe('estimated');
  });
});
