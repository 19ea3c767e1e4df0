import { costMultiplier, displayedModel } from '../../../src/domain/interaction/served-facts';
import type { FailoverFacts, ServedFacts } from '../../../src/domain/interaction/served-facts';
import { aPrice } from '../../support/sample-catalog';

const MODEL_FALLBACK: FailoverFacts = {
  reason: 'primary_provider_5xx',
  fromProvider: 'anthropic',
  fromModel: 'claude-haiku-4-5',
  toProvider: 'openai',
  toModel: 'gpt-4o-mini',
  costMultiplier: 0.31,
};
const SAME_MODEL: FailoverFacts = { ...MODEL_FALLBACK, fromModel: 'gpt-4o-mini' };

const SERVED: ServedFacts = {
  requestedModel: 'auto',
  provider: 'openai',
  model: 'gpt-4o-mini',
  attempts: 3,
  failover: null,
  ignoredParams: [],
  responseModel: 'annotated',
};

describe('the model that an answer shows', () => {
  it.each<{ name: string; given: Partial<ServedFacts>; expected: string }>([
    { name: 'is the plain served name, also for an alias or auto', given: {}, expected: 'gpt-4o-mini' },
    {
      name: 'is annotated after a model fallback',
      given: { failover: MODEL_FALLBACK },
      expected: 'auto→gpt-4o-mini (fallback: claude-haiku-4-5)',
    },
    {
      name: 'is plain after a fallback to the same model elsewhere',
      given: { failover: SAME_MODEL },
      expected: 'gpt-4o-mini',
    },
    {
      name: 'is plain for a client that parses it',
      given: { failover: MODEL_FALLBACK, responseModel: 'served' },
      expected: 'gpt-4o-mini',
    },
  ])('$name', ({ given, expected }) => {
    expect(displayedModel({ ...SERVED, ...given })).toBe(expected);
  });
});

describe('the cost multiplier of a fallback', () => {
  it.each([
    {
      name: 'the input ratio, if larger',
      primary: aPrice(100, 400),
      fallback: aPrice(500, 800),
      expected: 5,
    },
    {
      name: 'the output ratio, if larger',
      primary: aPrice(100, 400),
      fallback: aPrice(300, 1_500),
      expected: 3.75,
    },
    {
      name: 'a cheaper fallback',
      primary: aPrice(1_000_000, 5_000_000),
      fallback: aPrice(150_000, 600_000),
      expected: 0.15,
    },
    { name: 'four digits', primary: aPrice(3, 3), fallback: aPrice(1, 2), expected: 0.6667 },
    { name: 'a free fallback', primary: aPrice(100, 400), fallback: aPrice(0, 0), expected: 0 },
    { name: 'an unknown primary', primary: null, fallback: aPrice(1, 1), expected: null },
    { name: 'an unknown fallback', primary: aPrice(1, 1), fallback: null, expected: null },
    { name: 'free input of the primary', primary: aPrice(0, 400), fallback: aPrice(1, 1), expected: null },
    { name: 'free output of the primary', primary: aPrice(100, 0), fallback: aPrice(1, 1), expected: null },
  ])('$name: $expected', ({ primary, fallback, expected }) => {
    expect(costMultiplier(primary, fallback)).toBe(expected);
  });
});
