import type { JsonValue } from '../../../../src/domain/kernel/json';
import { readUsage, reportedUsage } from '../../../../src/infra/provider/openai/openai-usage';

type Row = readonly [
  input: number | null,
  cached: number | null,
  written: number | null,
  output: number | null,
  reasoning: number | null,
];

const read = (raw: JsonValue): Row => {
  const usage = readUsage(raw);
  return [
    usage.inputTokens,
    usage.cachedInputTokens,
    usage.cacheWriteTokens,
    usage.outputTokens,
    usage.reasoningTokens,
  ];
};

describe('usage of Chat Completions', () => {
  it.each<[string, JsonValue, Row]>([
    ['totals only', { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 }, [12, null, null, 3, null]],
    [
      'all details',
      {
        prompt_tokens: 12040,
        completion_tokens: 100,
        total_tokens: 12140,
        prompt_tokens_details: { cached_tokens: 10000, cache_write_tokens: 40 },
        completion_tokens_details: { reasoning_tokens: 60 },
      },
      [12040, 10000, 40, 100, 60],
    ],
    [
      'cached tokens of Moonshot',
      { prompt_tokens: 9, completion_tokens: 1, cached_tokens: 4 },
      [9, 4, null, 1, null],
    ],
    [
      'cached tokens of DeepSeek',
      { prompt_tokens: 9, completion_tokens: 1, prompt_cache_hit_tokens: 4 },
      [9, 4, null, 1, null],
    ],
    [
      'reasoning that the completion count left out',
      {
        prompt_tokens: 12,
        completion_tokens: 1,
        total_tokens: 303,
        completion_tokens_details: { reasoning_tokens: 290 },
      },
      [12, null, null, 291, 290],
    ],
    [
      'a total below the sum',
      { prompt_tokens: 10, completion_tokens: 5, total_tokens: 3 },
      [10, null, null, 5, null],
    ],
    [
      'zeros, which are values',
      { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
      [0, null, null, 0, null],
    ],
    [
      'a total in place of the completion count',
      { prompt_tokens: 7, total_tokens: 9 },
      [7, null, null, 2, null],
    ],
    [
      'negative, broken and foreign values',
      { prompt_tokens: -1, completion_tokens: 1.5, total_tokens: '3' },
      [null, null, null, null, null],
    ],
    [
      'more than any model can have written',
      { prompt_tokens: 7, completion_tokens: 7_000_000_001, total_tokens: 7_000_000_008 },
      [7, null, null, null, null],
    ],
    [
      'a total that no model can have',
      { prompt_tokens: 7, completion_tokens: 2, total_tokens: 7_000_000_008 },
      [7, null, null, 2, null],
    ],
    [
      'more cached than there was',
      { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 11 } },
      [10, null, null, 5, null],
    ],
    [
      'more reasoning than output',
      { prompt_tokens: 10, completion_tokens: 5, completion_tokens_details: { reasoning_tokens: 6 } },
      [10, null, null, 5, null],
    ],
  ])('%s', (_name, raw, expected) => {
    expect(read(raw)).toEqual(expected);
  });

  it('keeps the raw counters as evidence', () => {
    const raw = { prompt_tokens: 1, completion_tokens: 2, cost: 0.5 };

    expect(readUsage(raw)).toMatchObject({ source: 'provider', raw });
  });

  it.each<[string, JsonValue]>([
    ['null', null],
    ['a number', 3],
    ['an empty object', {}],
  ])('reports none for %s', (_name, raw) => {
    expect(readUsage(raw).source).toBe('none');
  });

  it('prefers the standard member to the one of Groq', () => {
    const usage = reportedUsage({
      usage: { prompt_tokens: 1, completion_tokens: 1 },
      x_groq: { usage: { prompt_tokens: 9, completion_tokens: 9 } },
    });

    expect(usage.inputTokens).toBe(1);
  });
});
