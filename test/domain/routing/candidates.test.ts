import fc from 'fast-check';
import type { CircuitView, RouteCondition } from '../../../src/domain/health/provider-health';
import type { Plan } from '../../../src/domain/routing/plan';
import { aTenant, sampleCatalog, conditions, withOffering } from '../../support/sample-catalog';
import { AZURE, CLAUDE, GPT, MISTRAL, OPEN, under } from '../../support/sample-plan';

const idsOf = (plan: Plan): string[] => plan.candidates.map(({ route }) => route.id);

describe('candidates, whatever the policy and the conditions', () => {
  const target = fc.constantFrom(GPT, AZURE, CLAUDE, MISTRAL);
  const condition: fc.Arbitrary<Partial<RouteCondition>> = fc.record({
    circuit: fc.constantFrom<CircuitView>({ state: 'closed' }, OPEN, {
      state: 'half_open',
      trialTaken: true,
    }),
    throttledUntilMs: fc.constantFrom(null, 2_000_000),
    latencyMs: fc.option(fc.nat(5_000)),
  });
  const facts = fc.record({
    targets: fc.uniqueArray(target, { minLength: 1, maxLength: 4 }),
    named: fc.dictionary(fc.constantFrom('oa-1', 'oa-2', 'az', 'an', 'mi'), condition),
    strategy: fc.constantFrom('priority' as const, 'cost' as const, 'latency' as const),
    withPrimary: fc.boolean(),
    failover: fc.boolean(),
    disabled: fc.constantFrom('oa-1', 'az', 'an', 'none'),
    multiplier: fc.constantFrom(0.5, 1, 5),
  });
  type Facts = typeof facts extends fc.Arbitrary<infer T> ? T : never;

  function planOf({ targets, named, strategy, withPrimary, failover, disabled, multiplier }: Facts): Plan {
    const policy = withPrimary
      ? { primary: targets[0], fallbacks: targets.slice(1) }
      : { fallbacks: targets };
    return under(
      { ...policy, strategy, settings: { maxFallbackCostMultiplier: multiplier } },
      {
        tenant: aTenant({ features: { failover } }),
        catalog: sampleCatalog((entries) => withOffering(entries, disabled, { enabled: false })),
        conditions: conditions(named),
      },
    );
  }

  it('is the same plan for the same facts', () => {
    fc.assert(fc.property(facts, (given) => expect(planOf(given)).toEqual(planOf(given))));
  });

  it('never has a refused route before one that is not', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const refused = planOf(given).candidates.map(({ refusal }) => refusal !== null);

        expect(refused).toEqual([...refused].sort());
      }),
    );
  });

  it('has every route once, and each refused one among the refusals', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const plan = planOf(given);
        const told = plan.refusals.map(({ route }) => route.id);
        const refused = plan.candidates.flatMap(({ refusal }) =>
          refusal === null ? [] : [refusal.route.id],
        );

        expect(new Set(idsOf(plan)).size).toBe(plan.candidates.length);
        expect(told).toEqual(expect.arrayContaining(refused));
        expect(new Set(told).size).toBe(told.length);
      }),
    );
  });

  it('admits no failover without the feature', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const plan = planOf({ ...given, failover: false });

        expect(plan.candidates.filter(({ failover, refusal }) => failover && refusal === null)).toEqual([]);
      }),
    );
  });
});
