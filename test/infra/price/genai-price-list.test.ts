import { GenaiPriceList } from '../../../src/infra/price/genai-price-list';

describe('list prices', () => {
  const prices = new GenaiPriceList();

  it.each([
    [
      'openai',
      'gpt-4o-mini',
      { input: 150_000, output: 600_000, cachedInput: 75_000, cacheWrite: null, cacheWrite1h: null },
    ],
    [
      'anthropic',
      'claude-haiku-4-5',
      {
        input: 1_000_000,
        output: 5_000_000,
        cachedInput: 100_000,
        cacheWrite: 1_250_000,
        cacheWrite1h: 2_000_000,
      },
    ],
    // 3 and 15 USD up to 200,000 input tokens: a ceiling must not be passed by a price that doesn't hold.
    [
      'anthropic',
      'claude-sonnet-4-5',
      {
        input: 6_000_000,
        output: 22_500_000,
        cachedInput: 600_000,
        cacheWrite: 7_500_000,
        cacheWrite1h: 12_000_000,
      },
    ],
  ])('of %s %s, in micro-USD per million tokens', (provider, model, price) => {
    expect(prices.priceOf(provider, model)).toEqual(price);
  });

  it.each([
    ['a name that is only similar', 'openai', 'gpt-4o-mini-2024-07-18'],
    ['a dated name', 'anthropic', 'claude-haiku-4-5-20251001'],
    ['another case', 'openai', 'GPT-4o-mini'],
    ['another provider’s model', 'openai', 'claude-haiku-4-5'],
    ['an unknown model', 'openai', 'gpt-99'],
    ['an unknown provider', 'nobody', 'gpt-4o-mini'],
    ['no name', 'openai', ''],
  ])('are never guessed: %s', (_name, provider, model) => {
    expect(prices.priceOf(provider, model)).toBeNull();
  });
});
