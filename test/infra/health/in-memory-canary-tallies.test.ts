import { InMemoryCanaryTallies } from '../../../src/infra/health/in-memory-canary-tallies';

const MAIN = { tenant: 'acme', policy: 'main', version: 3 };

describe('canary tallies in memory', () => {
  it('add up what the requests of a version came to', () => {
    const tallies = new InMemoryCanaryTallies();
    tallies.add(MAIN, 'served');
    tallies.add(MAIN, 'failed');

    expect(tallies.add(MAIN, 'served')).toEqual({ requests: 3, failures: 1 });
  });

  it.each([
    { name: 'a new version', ref: { ...MAIN, version: 4 } },
    { name: 'another policy', ref: { ...MAIN, policy: 'other' } },
    { name: 'another tenant', ref: { ...MAIN, tenant: 'beta' } },
  ])('start from nothing for $name', ({ ref }) => {
    const tallies = new InMemoryCanaryTallies();
    tallies.add(MAIN, 'failed');

    expect(tallies.add(ref, 'failed')).toEqual({ requests: 1, failures: 1 });
  });

  it('forget the canary that was counted the longest ago when there are too many', () => {
    const tallies = new InMemoryCanaryTallies(2);
    tallies.add(MAIN, 'served');
    tallies.add({ ...MAIN, policy: 'second' }, 'served');
    tallies.add(MAIN, 'served');
    tallies.add({ ...MAIN, policy: 'third' }, 'served');

    expect(tallies.add(MAIN, 'served')).toEqual({ requests: 3, failures: 0 });
    expect(tallies.add({ ...MAIN, policy: 'second' }, 'served')).toEqual({ requests: 1, failures: 0 });
  });
});
