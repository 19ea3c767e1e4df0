import fc from 'fast-check';
import { indexPolicies, matchPolicy } from '../../../src/domain/routing/match-policy';
import { aVersion } from '../../support/sample-policy';

const policy = (name: string, ...match: string[]) => aVersion({ match }, { name });

describe('policy match', () => {
  it.each([
    { name: 'no policy at all', policies: [], requested: 'gpt-s', resolved: 'gpt-s', expected: undefined },
    {
      name: 'none that fits',
      policies: [policy('a', 'claude-s')],
      requested: 'gpt-s',
      resolved: 'gpt-s',
      expected: undefined,
    },
    {
      name: 'the requested name before the resolved one',
      policies: [policy('a', 'gpt-s'), policy('b', 'small')],
      requested: 'small',
      resolved: 'gpt-s',
      expected: 'b',
    },
    {
      name: 'the resolved name before a prefix',
      policies: [policy('a', 'sma*'), policy('b', 'gpt-s')],
      requested: 'small',
      resolved: 'gpt-s',
      expected: 'b',
    },
    {
      name: 'the longest prefix',
      policies: [policy('a', 'g*'), policy('b', 'gpt-*'), policy('c', 'gp*')],
      requested: 'gpt-s',
      resolved: 'gpt-s',
      expected: 'b',
    },
    {
      name: 'a prefix of the resolved name',
      policies: [policy('a', 'gpt-*')],
      requested: 'small',
      resolved: 'gpt-s',
      expected: 'a',
    },
    {
      name: 'a prefix before *',
      policies: [policy('a', '*'), policy('b', 'g*')],
      requested: 'gpt-s',
      resolved: 'gpt-s',
      expected: 'b',
    },
    {
      name: '* for what nobody knows',
      policies: [policy('a', '*')],
      requested: 'xyz',
      resolved: null,
      expected: 'a',
    },
    {
      name: 'the first by name of equal ones',
      policies: [policy('b', 'gpt-s'), policy('a', 'gpt-s')],
      requested: 'gpt-s',
      resolved: 'gpt-s',
      expected: 'a',
    },
    {
      name: 'the best pattern of several',
      policies: [policy('a', '*', 'gpt-s'), policy('b', 'gpt-*')],
      requested: 'gpt-s',
      resolved: 'gpt-s',
      expected: 'a',
    },
    {
      name: 'a name by its case',
      policies: [policy('a', 'GPT-S')],
      requested: 'gpt-s',
      resolved: 'gpt-s',
      expected: undefined,
    },
    {
      name: 'no prefix without its star',
      policies: [policy('a', 'gpt-')],
      requested: 'gpt-s',
      resolved: 'gpt-s',
      expected: undefined,
    },
  ])('takes $name', ({ policies, requested, resolved, expected }) => {
    expect(matchPolicy(indexPolicies(policies), requested, resolved)?.name).toBe(expected);
  });

  it('takes the first by name where the asked and the meant name have prefixes of the same length', () => {
    const policies = indexPolicies([policy('b', 'auto*'), policy('a', 'gpt-*')]);

    expect(matchPolicy(policies, 'auto-fast', 'gpt-s')?.name).toBe('a');
    expect(matchPolicy(policies, 'auto-fast', 'o4')?.name).toBe('b');
  });

  it('looks up as often for a tenant of many policies as for one of few', () => {
    const many = Array.from({ length: 10_000 }, (_, index) =>
      policy(`p${index}`, `m${index}`, `x${index}-*`),
    );
    const index = indexPolicies(many);

    expect(index.prefixLengths).toEqual([6, 5, 4, 3]);
    expect(matchPolicy(index, 'm9999', null)?.name).toBe('p9999');
    expect(matchPolicy(index, 'x42-turbo', null)?.name).toBe('p42');
    expect(matchPolicy(index, 'none', null)).toBeNull();
  });

  it('does not depend on the order of the policies', () => {
    const all = [
      policy('a', '*'),
      policy('b', 'g*'),
      policy('c', 'gpt-s'),
      policy('d', 'gpt-s'),
      policy('e', 'gpt-*'),
    ];

    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: 5 }), (shuffled) => {
        expect(matchPolicy(indexPolicies(shuffled), 'gpt-s', 'gpt-s')?.name).toBe('c');
      }),
    );
  });
});
