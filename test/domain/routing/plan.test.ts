import { needsOf } from '../../../src/domain/catalog/contract';
import type { RouteCondition } from '../../../src/domain/health/provider-health';
import { planRoutes } from '../../../src/domain/routing/plan';
import type { Plan } from '../../../src/domain/routing/plan';
import type { StrategyName } from '../../../src/domain/routing/strategy-name';
import { UNRESTRICTED } from '../../../src/domain/tenant/eligibility';
import {
  aPrice,
  aRequest,
  aTenant,
  conditions,
  PLAIN_NEEDS,
  sampleCatalog,
  withOffering,
} from '../../support/sample-catalog';
import { AZURE, CLAUDE, GPT, MISTRAL, OPEN, planInput, planned, under } from '../../support/sample-plan';
import { aVersion } from '../../support/sample-policy';

type Ordered = Readonly<{
  name: string;
  strategy: StrategyName;
  named: Readonly<Record<string, Partial<RouteCondition>>>;
  order: readonly string[];
}>;

const idsOf = (plan: Plan): string[] => plan.candidates.map(({ route }) => route.id);
const refusalsOf = (plan: Plan): string[] =>
  plan.refusals.map(({ route, detail }) => `${route.id} ${detail.reason}`);

describe('plan', () => {
  describe('without a policy', () => {
    it('stays at the provider of the requested model, on its channels', () => {
      const plan = planned({});

      expect(plan.candidates.map(({ route, relation, failover }) => [route.id, relation, failover])).toEqual([
        ['oa-1', 'primary', false],
        ['oa-2', 'channel_fallback', false],
      ]);
      expect(plan).toMatchObject({ requestedModel: 'gpt-s', policy: null, canary: false });
      expect(plan.primary).toBe(plan.candidates[0]);
      expect(plan.settings.maxHops).toBe(3);
    });

    it('tells that the same model elsewhere was not opted in', () => {
      expect(planned({}).refusals).toEqual([
        {
          route: { id: 'az', provider: 'azure', channel: 'ch-az', model: 'gpt-s' },
          detail: { reason: 'not_opted_in', missing: 'policy' },
        },
      ]);
    });

    it('follows an alias', () => {
      const plan = planned({ request: aRequest('small') });

      expect(plan.requestedModel).toBe('small');
      expect(idsOf(plan)).toEqual(['oa-1', 'oa-2']);
    });

    it('does not know a model that nobody registered', () => {
      expect(planRoutes(planInput({ request: aRequest('gpt-x') }))).toEqual({
        ok: false,
        error: { code: 'model_not_found', model: 'gpt-x' },
      });
    });

    it('goes to the provider of the best channel if the maker offers the model nowhere', () => {
      const catalog = sampleCatalog((entries) => ({
        ...entries,
        offerings: entries.offerings.filter(({ id }) => !id.startsWith('oa')),
      }));

      expect(idsOf(planned({ catalog }))).toEqual(['az']);
    });

    // A user saw 503 "no route is eligible", without a reason, for a name that GET /v1/models doesn't list.
    it('does not know a model that nothing offers', () => {
      const catalog = sampleCatalog((entries) => ({ ...entries, offerings: [] }));

      expect(planRoutes(planInput({ catalog }))).toEqual({
        ok: false,
        error: { code: 'model_not_found', model: 'gpt-s' },
      });
    });
  });

  describe('with a policy that names no target', () => {
    it('stays where the request was sent, with the settings of the policy', () => {
      const plan = under({ settings: { maxHops: 1 } });

      expect(plan.policy).toEqual({ name: 'main', version: 1 });
      expect(plan.settings.maxHops).toBe(1);
      expect(idsOf(plan)).toEqual(['oa-1', 'oa-2']);
    });

    it('does not know a model that nobody registered', () => {
      const policies = [aVersion({ match: ['*'] })];

      expect(planRoutes(planInput({ policies, request: aRequest('auto') })).ok).toBe(false);
    });
  });

  describe('with a primary and fallbacks', () => {
    it('lists the channels of the primary and then the fallbacks as they were listed', () => {
      const plan = under(
        { primary: GPT, fallbacks: [AZURE, CLAUDE, MISTRAL] },
        { request: aRequest('auto') },
      );

      expect(plan.candidates.map(({ route, relation, failover }) => [route.id, relation, failover])).toEqual([
        ['oa-1', 'primary', false],
        ['oa-2', 'channel_fallback', false],
        ['az', 'channel_fallback', true],
        ['an', 'model_fallback', true],
        ['mi', 'model_fallback', true],
      ]);
      expect(plan.refusals).toEqual([]);
    });

    it.each<Ordered>([
      {
        name: 'cost: the lowest price first',
        strategy: 'cost' as const,
        named: {},
        order: ['mi', 'az', 'an'],
      },
      {
        name: 'latency: the fastest first, the never seen last',
        strategy: 'latency' as const,
        named: { an: { latencyMs: 90 }, mi: { latencyMs: 300 } },
        order: ['an', 'mi', 'az'],
      },
      {
        name: 'priority, the unhealthy behind',
        strategy: 'priority' as const,
        named: { az: { circuit: OPEN } },
        order: ['an', 'mi', 'az'],
      },
      {
        name: 'priority, the throttled behind',
        strategy: 'priority' as const,
        named: { az: { throttledUntilMs: 2e6 } },
        order: ['an', 'mi', 'az'],
      },
    ])('orders the fallbacks by $name', ({ strategy, named, order }) => {
      const plan = under(
        { primary: GPT, fallbacks: [AZURE, CLAUDE, MISTRAL], strategy },
        { conditions: conditions(named) },
      );

      expect(idsOf(plan)).toEqual(['oa-1', 'oa-2', ...order]);
    });

    it('keeps the primary first while its circuit is open, and tells so', () => {
      const plan = under(
        { primary: GPT, fallbacks: [CLAUDE] },
        { conditions: conditions({ 'oa-1': { circuit: OPEN } }) },
      );

      expect(plan.primary?.route.id).toBe('oa-1');
      expect(idsOf(plan)[0]).toBe('oa-1');
      expect(refusalsOf(plan)).toEqual(['oa-1 circuit_open', 'az not_opted_in']);
      expect(plan.candidates[0]?.refusal).toBeNull();
    });

    it('refuses every failover while the feature is off, but no other channel', () => {
      const tenant = aTenant({ features: { failover: false } });
      const plan = under({ primary: GPT, fallbacks: [AZURE, CLAUDE] }, { tenant });

      expect(refusalsOf(plan)).toEqual(['az not_opted_in', 'an not_opted_in']);
      expect(plan.candidates.filter(({ refusal }) => refusal === null).map(({ route }) => route.id)).toEqual([
        'oa-1',
        'oa-2',
      ]);
    });

    it('measures the fallbacks against the primary', () => {
      const catalog = sampleCatalog((entries) => withOffering(entries, 'an', { price: aPrice(501, 400) }));
      const plan = under({ primary: GPT, fallbacks: [CLAUDE, MISTRAL] }, { catalog });

      expect(idsOf(plan)).toEqual(['oa-1', 'oa-2', 'mi', 'an']);
      expect(plan.refusals[0]?.detail).toMatchObject({ reason: 'cost_ceiling', ratio: 5.01 });
    });

    it('makes the next channel the primary when the first one is refused for good', () => {
      const catalog = sampleCatalog((entries) => withOffering(entries, 'oa-1', { enabled: false }));
      const plan = under({ primary: GPT, fallbacks: [CLAUDE] }, { catalog });

      expect(plan.primary?.route.id).toBe('oa-2');
      expect(plan.candidates.map(({ route, relation }) => [route.id, relation])).toEqual([
        ['oa-2', 'primary'],
        ['an', 'model_fallback'],
        ['oa-1', 'channel_fallback'],
      ]);
    });

    it('keeps an excluded primary as what fallbacks are measured against', () => {
      const eligibility = {
        ...UNRESTRICTED,
        exclusions: [{ provider: 'openai', model: null, note: 'x', untilMs: null }],
      };
      const plan = under({ primary: GPT, fallbacks: [CLAUDE] }, { tenant: aTenant({ eligibility }) });

      expect(plan.primary?.route.id).toBe('oa-1');
      expect(idsOf(plan)).toEqual(['an', 'oa-1', 'oa-2']);
      expect(refusalsOf(plan)).toEqual(['oa-1 tenant_excluded', 'oa-2 tenant_excluded', 'az not_opted_in']);
    });

    it('refuses every fallback of a primary that has no route', () => {
      const plan = under({ primary: { provider: 'openai', model: 'gone' }, fallbacks: [CLAUDE] });

      expect(plan.primary).toBeNull();
      expect(refusalsOf(plan)).toEqual(['an cost_unknown']);
    });

    it('prefers the groups of the key in their order', () => {
      const plan = under({ primary: GPT }, { keyGroups: ['premium', 'standard'] });

      expect(idsOf(plan)).toEqual(['oa-2', 'oa-1']);
    });

    it('uses no other group than those of the key', () => {
      const plan = under({ primary: GPT, fallbacks: [CLAUDE] }, { keyGroups: ['premium'] });

      expect(idsOf(plan)).toEqual(['oa-2', 'oa-1', 'an']);
      expect(refusalsOf(plan)).toEqual(['oa-1 tenant_excluded', 'an tenant_excluded', 'az not_opted_in']);
    });

    it('leaves out what the request needs more than', () => {
      const catalog = sampleCatalog((entries) =>
        withOffering(entries, 'oa-1', { contract: { tools: false } }),
      );
      const request = aRequest('auto', { needs: { ...PLAIN_NEEDS, tools: true } });
      const plan = under({ primary: GPT, fallbacks: [CLAUDE] }, { catalog, request });

      expect(idsOf(plan)).toEqual(['oa-2', 'an', 'oa-1']);
      expect(refusalsOf(plan)).toContain('oa-1 contract_mismatch');
    });

    it('falls back to another model of the same provider as a failover', () => {
      const plan = under(
        { primary: CLAUDE, fallbacks: [{ provider: 'anthropic', model: 'claude-t' }] },
        {
          catalog: sampleCatalog((entries) => ({
            ...entries,
            models: [...entries.models, { ...entries.models[1]!, name: 'claude-t' }],
            offerings: [...entries.offerings, { ...entries.offerings[3]!, id: 'an-t', model: 'claude-t' }],
          })),
        },
      );

      expect(plan.candidates.map(({ route, relation, failover }) => [route.id, relation, failover])).toEqual([
        ['an', 'primary', false],
        ['an-t', 'model_fallback', true],
      ]);
    });
  });

  describe('with fallbacks and no primary', () => {
    it.each<Ordered>([
      {
        name: 'priority: the first listed',
        strategy: 'priority' as const,
        named: {},
        order: ['an', 'oa-1', 'oa-2', 'mi'],
      },
      {
        name: 'cost: the cheapest, the rest behind',
        strategy: 'cost' as const,
        named: {},
        order: ['mi', 'oa-1', 'oa-2', 'an'],
      },
      {
        name: 'latency: the fastest',
        strategy: 'latency' as const,
        named: { 'oa-2': { latencyMs: 7 } },
        order: ['oa-1', 'oa-2', 'an', 'mi'],
      },
      {
        name: 'the first healthy one',
        strategy: 'priority' as const,
        named: { an: { circuit: OPEN } },
        order: ['oa-1', 'oa-2', 'mi', 'an'],
      },
    ])('takes as primary by $name', ({ strategy, named, order }) => {
      const plan = under(
        { fallbacks: [CLAUDE, GPT, MISTRAL], strategy, settings: { maxFallbackCostMultiplier: 1_000 } },
        { conditions: conditions(named) },
      );

      expect(idsOf(plan)).toEqual(order);
      expect(plan.primary?.route.id).toBe(order[0]);
      expect(plan.candidates.map(({ relation }) => relation)[0]).toBe('primary');
    });

    it('takes no target that cannot serve, even if all that can are unhealthy', () => {
      const eligibility = {
        ...UNRESTRICTED,
        exclusions: [{ provider: 'anthropic', model: null, note: 'x', untilMs: null }],
      };
      const plan = under(
        { fallbacks: [CLAUDE, MISTRAL] },
        { tenant: aTenant({ eligibility }), conditions: conditions({ mi: { circuit: OPEN } }) },
      );

      expect(plan.primary?.route.id).toBe('mi');
    });
  });

  describe('with a canary', () => {
    const canary = { target: MISTRAL, percent: 10 };

    it('makes its target the primary of a request that it draws, with the primary as a fallback', () => {
      const plan = under(
        { primary: GPT, fallbacks: [CLAUDE], canary, settings: { maxFallbackCostMultiplier: 100 } },
        { draw: 0.09 },
      );

      expect(plan.canary).toBe(true);
      expect(plan.candidates.map(({ route, relation }) => [route.id, relation])).toEqual([
        ['mi', 'primary'],
        ['oa-1', 'model_fallback'],
        ['oa-2', 'model_fallback'],
        ['an', 'model_fallback'],
      ]);
    });

    it('leaves the others alone', () => {
      const plan = under({ primary: GPT, fallbacks: [CLAUDE], canary }, { draw: 0.1 });

      expect(plan.canary).toBe(false);
      expect(idsOf(plan)).toEqual(['oa-1', 'oa-2', 'an']);
    });

    it('allows no failover where the policy lists no fallback', () => {
      expect(idsOf(under({ primary: GPT, canary }, { draw: 0 }))).toEqual(['mi']);
    });

    it('is no fallback of itself', () => {
      const plan = under(
        { primary: GPT, fallbacks: [MISTRAL], canary, settings: { maxFallbackCostMultiplier: 100 } },
        { draw: 0 },
      );

      expect(idsOf(plan)).toEqual(['mi', 'oa-1', 'oa-2']);
    });

    it.each([
      { name: 'user', body: { user: 'ann' }, same: { user: 'ann' } },
      {
        name: 'safety_identifier before user',
        body: { safety_identifier: 'ann', user: 'x' },
        same: { safety_identifier: 'ann', user: 'y' },
      },
      { name: 'nobody, so by key', body: {}, same: { user: 7 } },
    ])('sticks to $name, whatever the chance', ({ body, same }) => {
      const policy = { primary: GPT, canary: { ...canary, percent: 50, stickyBy: 'user' as const } };
      const drawn = (given: object, draw: number): boolean =>
        under(policy, { request: aRequest('auto', { body: { ...given } }), draw }).canary;

      expect(drawn(same, 0.99)).toBe(drawn(body, 0.01));
    });
  });

  it('plans a real request by what it needs', () => {
    const body = { model: 'gpt-s', messages: [{ role: 'user', content: 'Hi' }], n: 2 };
    const catalog = sampleCatalog((entries) =>
      withOffering(entries, 'oa-1', { contract: { multipleChoices: false } }),
    );
    const plan = planned({ catalog, request: aRequest('gpt-s', { body, needs: needsOf(body) }) });

    expect(plan.primary?.route.id).toBe('oa-2');
    expect(plan.refusals[0]?.detail).toEqual({
      reason: 'contract_mismatch',
      param: 'n',
      message: 'more than one choice not supported',
    });
  });
});
