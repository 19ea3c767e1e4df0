import type { RoutingPolicyInput } from '../../../src/domain/routing/routing-policy';
import { programOf } from '../../../src/usecase/drill/program';
import { CLAUDE, drillFacts, drillPolicy, ELSEWHERE, SMALL } from '../../support/drill-setting';

const programme = (...policies: readonly (readonly [string, Partial<RoutingPolicyInput>])[]) =>
  programOf({ ...drillFacts(), policies: policies.map(([name, input]) => drillPolicy(input, name)) });

describe('the program of a tenant', () => {
  it.each<[row: string, match: string[], asked: string | null]>([
    ['an exact name', ['auto'], 'auto'],
    ['a prefix that models have', ['gpt-*'], 'gpt-s'],
    ['a prefix that none has', ['acme-*'], 'acme-rehearsal'],
    ['everything', ['*'], 'gpt-s'],
  ])('asks for a name that the policy answers for: %s', (_, match, asked) => {
    const [entry] = programme(['main', { match }]);

    expect(entry?.setting?.requestedModel).toBe(asked);
  });

  it('says where others answer for every name of a policy', () => {
    const [closer, shadowed] = programme(['a', { match: ['auto'] }], ['b', { match: ['auto'] }]);

    expect(closer?.setting?.requestedModel).toBe('auto');
    expect(shadowed?.setting).toBeNull();
  });

  it('rehearses both sides of a canary, and neither by chance', () => {
    const canary = { target: CLAUDE, percent: 5 };

    const entries = programme(['main', { fallbacks: [ELSEWHERE], canary }]);

    const seen = entries.map(({ side, setting }) => {
      const { primary, fallbacks, canary: left } = setting!.policy.policy;
      return { side, primary, fallbacks, canary: left };
    });
    expect(seen).toEqual([
      { side: 'stable', primary: SMALL, fallbacks: [ELSEWHERE], canary: null },
      { side: 'canary', primary: CLAUDE, fallbacks: [SMALL, ELSEWHERE], canary: null },
    ]);
  });

  it('puts nothing behind the canary of a policy that allows no failover', () => {
    const entries = programme(['main', { canary: { target: CLAUDE, percent: 5 } }]);

    expect(entries[1]?.setting?.policy.policy.fallbacks).toEqual([]);
  });
});
