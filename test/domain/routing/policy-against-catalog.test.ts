import type { Catalog } from '../../../src/domain/catalog/catalog';
import { checkAgainstCatalog } from '../../../src/domain/routing/policy-against-catalog';
import type { CatalogCheck } from '../../../src/domain/routing/policy-against-catalog';
import type { RoutingPolicyInput } from '../../../src/domain/routing/routing-policy';
import { UNRESTRICTED } from '../../../src/domain/tenant/eligibility';
import type { Eligibility } from '../../../src/domain/tenant/eligibility';
import type { Tenant } from '../../../src/domain/tenant/tenant';
import { aPrice, aTenant, sampleCatalog, withOffering } from '../../support/sample-catalog';
import { aPolicy } from '../../support/sample-policy';

const GPT = { provider: 'openai', model: 'gpt-s' };
const CLAUDE = { provider: 'anthropic', model: 'claude-s' };
const MISTRAL = { provider: 'mistral', model: 'mistral-s' };
const NOW = 1_000;

type Given = Readonly<{ catalog?: Catalog; tenant?: Tenant }>;

function check(policy: Omit<RoutingPolicyInput, 'match'>, { catalog, tenant }: Given = {}): CatalogCheck {
  return checkAgainstCatalog(
    aPolicy({ match: ['auto'], ...policy }),
    catalog ?? sampleCatalog(),
    tenant ?? aTenant(),
    NOW,
  );
}

const eligible = (eligibility: Partial<Eligibility>): Tenant =>
  aTenant({ eligibility: { ...UNRESTRICTED, ...eligibility } });
const priced = (id: string, price: ReturnType<typeof aPrice> | null): Catalog =>
  sampleCatalog((entries) => withOffering(entries, id, { price }));
const excluding = (untilMs: number | null): Tenant =>
  eligible({ exclusions: [{ provider: 'anthropic', model: null, note: 'contract 7', untilMs }] });

describe('policy against the catalog', () => {
  it('finds nothing wrong with what can work', () => {
    const canary = { target: MISTRAL, percent: 5 };

    expect(check({ primary: GPT, fallbacks: [CLAUDE], canary })).toEqual({ problems: [], warnings: [] });
  });

  it.each<{ name: string; policy: Omit<RoutingPolicyInput, 'match'>; given?: Given; problems: unknown }>([
    {
      name: 'an unknown provider',
      policy: { primary: { provider: 'acme', model: 'gpt-s' } },
      problems: [{ field: 'primary.provider', message: 'no provider "acme" in the catalog' }],
    },
    {
      name: 'an unknown model',
      policy: { primary: GPT, fallbacks: [{ provider: 'anthropic', model: 'claude-x' }] },
      problems: [{ field: 'fallbacks[0].model', message: 'no model "claude-x" in the catalog' }],
    },
    {
      name: 'an alias',
      policy: { primary: { provider: 'openai', model: 'small' } },
      problems: [
        {
          field: 'primary.model',
          message: 'no model "small" in the catalog; it is an alias, name "gpt-s" itself',
        },
      ],
    },
    {
      name: 'a target that nobody offers',
      policy: { primary: GPT, canary: { target: { provider: 'mistral', model: 'claude-s' }, percent: 1 } },
      problems: [{ field: 'canary.target', message: 'no channel of mistral offers claude-s' }],
    },
    {
      name: 'a fallback over the ceiling',
      policy: { primary: GPT, fallbacks: [MISTRAL, CLAUDE] },
      given: { catalog: priced('an', aPrice(501, 1_500)) },
      problems: [
        {
          field: 'fallbacks[1]',
          message:
            'costs 5.01 times as much as the primary, over max_fallback_cost_multiplier 5: input 501 against 100, output 1500 against 400 micro-USD per million tokens',
        },
      ],
    },
    {
      name: 'a paid fallback of a free primary',
      policy: { primary: MISTRAL, fallbacks: [CLAUDE] },
      given: { catalog: priced('mi', aPrice(0, 0)) },
      problems: [
        {
          field: 'fallbacks[0]',
          message:
            'is not free as the primary is, over max_fallback_cost_multiplier 5: input 300 against 0, output 1500 against 0 micro-USD per million tokens',
        },
      ],
    },
    {
      name: 'an exclusion without an end',
      policy: { primary: GPT, fallbacks: [CLAUDE] },
      given: { tenant: excluding(null) },
      problems: [{ field: 'fallbacks[0]', message: 'excluded for this tenant: contract 7' }],
    },
    {
      name: 'a target beside the allow list',
      policy: { primary: GPT },
      given: { tenant: eligible({ allowList: [{ provider: 'mistral', model: null }] }) },
      problems: [{ field: 'primary', message: 'excluded for this tenant: not on the allow list' }],
    },
    {
      name: 'no channel in the allowed regions',
      policy: { primary: GPT, fallbacks: [CLAUDE] },
      given: { tenant: eligible({ allowedRegions: ['eu', 'jp'] }) },
      problems: [{ field: 'fallbacks[0]', message: 'offered in us only; the tenant allows eu, jp' }],
    },
    {
      name: "no channel in the tenant's groups",
      policy: { primary: GPT, fallbacks: [CLAUDE] },
      given: { tenant: aTenant({ groups: [{ name: 'premium', rpm: 5 }] }) },
      problems: [
        {
          field: 'fallbacks[0]',
          message: 'offered in the channel groups standard only, which the tenant may not use',
        },
      ],
    },
  ])('has a problem with $name', ({ policy, given, problems }) => {
    expect(check(policy, given)).toEqual({ problems, warnings: [] });
  });

  it.each<{ name: string; policy: Omit<RoutingPolicyInput, 'match'>; given?: Given; warnings: unknown }>([
    {
      name: 'an exclusion that will end',
      policy: { primary: GPT, fallbacks: [CLAUDE] },
      given: { tenant: excluding(1_001) },
      warnings: [
        {
          field: 'fallbacks[0]',
          message: 'excluded for this tenant: contract 7; until 1001 (milliseconds since the epoch)',
        },
      ],
    },
    {
      name: 'channels that are switched off',
      policy: { primary: GPT, fallbacks: [CLAUDE] },
      given: { catalog: sampleCatalog((entries) => withOffering(entries, 'an', { enabled: false })) },
      warnings: [{ field: 'fallbacks[0]', message: 'all of its channels are switched off' }],
    },
    {
      name: 'an unknown price of a fallback',
      policy: { primary: GPT, fallbacks: [CLAUDE] },
      given: { catalog: priced('an', null) },
      warnings: [{ field: 'fallbacks[0]', message: 'without a known price: refused as cost_unknown' }],
    },
    {
      name: 'an unknown price of the primary',
      policy: { primary: MISTRAL, fallbacks: [CLAUDE] },
      given: { catalog: priced('mi', null) },
      warnings: [
        {
          field: 'primary',
          message: 'without a known price, so every fallback is refused as cost_unknown until there is one',
        },
      ],
    },
    {
      name: 'no known price at all',
      policy: { fallbacks: [CLAUDE] },
      given: { catalog: priced('an', null) },
      warnings: [
        {
          field: 'fallbacks',
          message: 'without a known price, so every fallback is refused as cost_unknown until there is one',
        },
      ],
    },
    {
      name: 'a canary over the ceiling',
      policy: {
        primary: GPT,
        canary: { target: CLAUDE, percent: 5 },
        settings: { maxFallbackCostMultiplier: 2 },
      },
      warnings: [
        {
          field: 'canary.target',
          message:
            'costs 3.75 times as much as the primary, over max_fallback_cost_multiplier 2: input 300 against 100, output 1500 against 400 micro-USD per million tokens',
        },
      ],
    },
    {
      name: 'a target that is too dear behind the cheapest',
      policy: { fallbacks: [CLAUDE, MISTRAL], strategy: 'cost' },
      warnings: [
        {
          field: 'fallbacks[0]',
          message:
            'costs 10 times as much as the primary, over max_fallback_cost_multiplier 5: input 300 against 50, output 1500 against 150 micro-USD per million tokens',
        },
      ],
    },
    {
      name: 'fallbacks without the feature',
      policy: { primary: GPT, fallbacks: [CLAUDE] },
      given: { tenant: aTenant({ features: { failover: false } }) },
      warnings: [{ field: 'fallbacks', message: "never used while the tenant's feature failover is off" }],
    },
    {
      name: 'fallbacks without a cause',
      policy: { primary: GPT, fallbacks: [CLAUDE], settings: { failoverOn: [] } },
      warnings: [{ field: 'failover_on', message: 'names no cause, so the fallbacks are never used' }],
    },
    {
      name: 'a name that nothing answers',
      policy: {},
      warnings: [{ field: 'match[0]', message: 'no model "auto" in the catalog, and no target to serve it' }],
    },
  ])('warns of $name', ({ policy, given, warnings }) => {
    expect(check(policy, given)).toEqual({ problems: [], warnings });
  });

  it.each<{ name: string; policy: Omit<RoutingPolicyInput, 'match'>; given?: Given }>([
    {
      name: 'a fallback at exactly the ceiling',
      policy: { primary: GPT, fallbacks: [CLAUDE] },
      given: { catalog: priced('an', aPrice(500, 2_000)) },
    },
    {
      name: 'an exclusion that has ended',
      policy: { primary: GPT, fallbacks: [CLAUDE] },
      given: { tenant: excluding(1_000) },
    },
    {
      name: 'one channel in an allowed region',
      policy: { primary: GPT },
      given: { tenant: eligible({ allowedRegions: ['eu'] }) },
    },
    {
      name: 'one of two channels switched off',
      policy: { primary: GPT, fallbacks: [CLAUDE] },
      given: { catalog: sampleCatalog((entries) => withOffering(entries, 'oa-1', { enabled: false })) },
    },
    {
      name: 'a fallback of which one channel is too dear',
      policy: { primary: CLAUDE, fallbacks: [GPT] },
      given: { catalog: priced('oa-2', aPrice(99_999, 1)) },
    },
    {
      name: 'a canary whose price nobody knows',
      policy: { primary: GPT, canary: { target: CLAUDE, percent: 5 } },
      given: { catalog: priced('an', null) },
    },
    {
      name: 'a canary of a primary whose price nobody knows',
      policy: { primary: MISTRAL, canary: { target: CLAUDE, percent: 5 } },
      given: { catalog: priced('mi', null) },
    },
  ])('accepts $name', ({ policy, given }) => {
    expect(check(policy, given)).toEqual({ problems: [], warnings: [] });
  });

  it('measures against the price of a channel that is switched on', () => {
    const catalog = sampleCatalog((entries) =>
      withOffering(withOffering(entries, 'oa-1', { price: aPrice(1, 1), enabled: false }), 'oa-2', {}),
    );

    expect(check({ primary: GPT, fallbacks: [CLAUDE] }, { catalog }).problems).toEqual([]);
  });

  it('measures against a channel that is switched off when all are', () => {
    const catalog = sampleCatalog((entries) =>
      withOffering(entries, 'mi', { price: aPrice(1, 1), enabled: false }),
    );

    expect(
      check({ primary: MISTRAL, fallbacks: [CLAUDE] }, { catalog }).problems.map(({ field }) => field),
    ).toEqual(['fallbacks[0]']);
  });

  it('lets names, aliases and prefixes of a policy without targets stand', () => {
    const policy = aPolicy({ match: ['gpt-s', 'small', 'gpt-*', '*'] });

    expect(checkAgainstCatalog(policy, sampleCatalog(), aTenant(), NOW)).toEqual({
      problems: [],
      warnings: [],
    });
  });
});
