import { askedClasses, classesTo, piiActionOf, restoresAnswers } from '../../../src/domain/pii/pii-rule';
import type { PiiRules } from '../../../src/domain/pii/pii-rule';

const RULES: PiiRules = {
  default: { classes: { email: 'redact', payment_card: 'block' }, restore: true },
  providers: [
    { provider: 'openai', classes: { payment_card: 'allow' }, restore: false },
    { provider: 'anthropic', classes: { phone: 'block' }, restore: null },
  ],
};

describe('pii rules', () => {
  it.each([
    ["the provider's own word", 'openai', 'payment_card', 'allow'],
    ['the default where the provider says nothing', 'openai', 'email', 'redact'],
    ['the default for a provider without a rule', 'mistral', 'payment_card', 'block'],
    ['allow where nobody says anything', 'mistral', 'iban', 'allow'],
  ] as const)('take %s', (_name, provider, piiClass, action) => {
    expect(piiActionOf(RULES, provider, piiClass)).toBe(action);
  });

  it('say which classes a provider may not get', () => {
    expect([...classesTo('block', RULES, 'anthropic')]).toEqual(['phone', 'payment_card']);
    expect([...classesTo('redact', RULES, 'anthropic')]).toEqual(['email']);
  });

  it.each([
    ['openai', false],
    ['anthropic', true],
    ['mistral', true],
  ])('say whether answers of %s are restored', (provider, restores) => {
    expect(restoresAnswers(RULES, provider)).toBe(restores);
  });

  it('restore nothing unless somebody says so', () => {
    expect(restoresAnswers({ default: { classes: {}, restore: null }, providers: [] }, 'openai')).toBe(false);
  });

  it('ask for what any of the providers may not get, and for nothing else', () => {
    expect([...askedClasses(RULES, ['openai'])]).toEqual(['email']);
    expect([...askedClasses(RULES, ['openai', 'anthropic'])]).toEqual(['email', 'phone', 'payment_card']);
    expect([...askedClasses(RULES, [])]).toEqual([]);
  });
});
