import { fullGroups } from '../../../src/domain/rate/full-groups';
import { groupCounters, keyCounter } from '../../../src/domain/rate/rate-counter';

describe('the counters of a tenant', () => {
  it('are those of its limited groups, apart from those of every other tenant', () => {
    const groups = [
      { name: 'premium', rpm: 10 },
      { name: 'standard', rpm: null },
    ];

    expect(groupCounters({ id: 'acme', groups })).toEqual([
      { scope: 'group', id: 'acme/premium', limit: 10, group: 'premium' },
    ]);
    expect(groupCounters({ id: 'beta', groups })[0]?.id).toBe('beta/premium');
  });

  it('are none where it may use every group', () => {
    expect(groupCounters({ id: 'acme', groups: null })).toEqual([]);
  });

  it('are not those of its keys', () => {
    expect(keyCounter('key_1', 5)).toEqual({ scope: 'key', id: 'key_1', limit: 5 });
  });
});

describe('full groups', () => {
  const groups = ['a', 'b', 'c'].map((name) => ({ name, rpm: 2 }));
  const counters = groupCounters({ id: 'acme', groups });

  it('are those with nothing left, until their minute is over', () => {
    const states = [
      { remaining: 0, resetMs: 1 },
      { remaining: 1, resetMs: 60_000 },
      { remaining: 0, resetMs: 59_000 },
    ];

    expect([...fullGroups(counters, states, 1_000)]).toEqual([
      ['a', 1_001],
      ['c', 60_000],
    ]);
  });

  it('are none of which nothing is known', () => {
    expect([...fullGroups(counters, [], 1_000)]).toEqual([]);
  });
});
