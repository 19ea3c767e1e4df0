import { isServedAs } from '../../../src/domain/catalog/served-model';

describe('a served model', () => {
  it.each([
    ['the very name', 'gpt-4o-mini', 'gpt-4o-mini'],
    ['a dated version', 'gpt-4o-mini-2024-07-18', 'gpt-4o-mini'],
    ['a dated version without dashes', 'claude-haiku-4-5-20251001', 'claude-haiku-4-5'],
    ['a version by month', 'mistral-small-2506', 'mistral-small-latest'],
    ['a version behind an @', 'claude-haiku-4-5@20251001', 'claude-haiku-4-5'],
    ['another case', 'Llama-3.3-70B', 'llama-3.3-70b'],
    ['the prefix of a provider', 'gpt-4o', 'openai/gpt-4o'],
  ])('is what was asked for by %s', (_name, served, asked) => {
    expect(isServedAs(served, [asked])).toBe(true);
  });

  it.each([
    ['a smaller one', 'gpt-4o-mini', 'gpt-4o'],
    ['a larger one', 'gpt-4o', 'gpt-4o-mini'],
    ['another generation', 'claude-haiku-3-5', 'claude-haiku-4-5'],
    ['another company', 'mistral-small', 'gpt-4o'],
    ['a preview', 'gpt-4o-preview', 'gpt-4o'],
    ['no name', '', 'gpt-4o'],
  ])('is not what was asked for when it is %s', (_name, served, asked) => {
    expect(isServedAs(served, [asked])).toBe(false);
  });

  it('may have any of several names', () => {
    expect(isServedAs('gpt-4o-2024-08-06', ['my-deployment', 'gpt-4o'])).toBe(true);
  });
});
