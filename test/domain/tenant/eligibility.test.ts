import { exclusionOf, isRegionAllowed, UNRESTRICTED } from '../../../src/domain/tenant/eligibility';
import type { Eligibility, Exclusion } from '../../../src/domain/tenant/eligibility';

const NOW = 1_000;
const GPT = { provider: 'openai', model: 'gpt-s' };

function excluding(given: Partial<Exclusion>): Eligibility {
  return {
    ...UNRESTRICTED,
    exclusions: [{ provider: 'openai', model: null, note: 'contract 7', untilMs: null, ...given }],
  };
}

describe('eligibility', () => {
  it.each<{ name: string; eligibility: Eligibility; verdict: unknown }>([
    { name: 'no rule', eligibility: UNRESTRICTED, verdict: null },
    {
      name: 'the provider excluded',
      eligibility: excluding({}),
      verdict: { note: 'contract 7', untilMs: null },
    },
    {
      name: 'the model excluded',
      eligibility: excluding({ model: 'gpt-s' }),
      verdict: { note: 'contract 7', untilMs: null },
    },
    { name: 'another model excluded', eligibility: excluding({ model: 'gpt-l' }), verdict: null },
    { name: 'another provider excluded', eligibility: excluding({ provider: 'azure' }), verdict: null },
    {
      name: 'an exclusion in its last millisecond',
      eligibility: excluding({ untilMs: 1_001 }),
      verdict: { note: 'contract 7', untilMs: 1_001 },
    },
    { name: 'an exclusion at its end', eligibility: excluding({ untilMs: 1_000 }), verdict: null },
    {
      name: 'the provider on the allow list',
      eligibility: { ...UNRESTRICTED, allowList: [{ provider: 'openai', model: null }] },
      verdict: null,
    },
    {
      name: 'the model on the allow list',
      eligibility: { ...UNRESTRICTED, allowList: [{ provider: 'openai', model: 'gpt-s' }] },
      verdict: null,
    },
    {
      name: 'another model on the allow list',
      eligibility: { ...UNRESTRICTED, allowList: [{ provider: 'openai', model: 'gpt-l' }] },
      verdict: { note: 'not on the allow list', untilMs: null },
    },
    {
      name: 'an empty allow list',
      eligibility: { ...UNRESTRICTED, allowList: [] },
      verdict: { note: 'not on the allow list', untilMs: null },
    },
    {
      name: 'an exclusion of what is allowed',
      eligibility: { ...excluding({}), allowList: [{ provider: 'openai', model: null }] },
      verdict: { note: 'contract 7', untilMs: null },
    },
  ])('with $name', ({ eligibility, verdict }) => {
    expect(exclusionOf(eligibility, GPT, NOW)).toEqual(verdict);
  });

  it.each([
    { allowed: null, region: 'us', expected: true },
    { allowed: [], region: 'us', expected: false },
    { allowed: ['eu'], region: 'eu', expected: true },
    { allowed: ['eu'], region: 'eu-central-1', expected: true },
    { allowed: ['eu'], region: 'europe', expected: false },
    { allowed: ['eu'], region: 'us', expected: false },
    { allowed: ['eu-*'], region: 'eu-central-1', expected: true },
    { allowed: ['eu-*'], region: 'eu', expected: true },
    { allowed: ['eu-central-1'], region: 'eu', expected: false },
    { allowed: ['eu-central-*'], region: 'eu-west-1', expected: false },
    { allowed: ['EU'], region: 'eu-West-1', expected: true },
    { allowed: ['jp', 'us'], region: 'us', expected: true },
    { allowed: ['*'], region: 'jp', expected: true },
    { allowed: [''], region: '', expected: false },
  ])('allows $region under $allowed: $expected', ({ allowed, region, expected }) => {
    expect(isRegionAllowed(allowed, region)).toBe(expected);
  });
});
