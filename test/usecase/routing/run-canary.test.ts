import type { RoutingPolicyInput } from '../../../src/domain/routing/routing-policy';
import { InMemoryCanaryTallies } from '../../../src/infra/health/in-memory-canary-tallies';
import { RunCanary } from '../../../src/usecase/routing/run-canary';
import type { PolicyStore } from '../../../src/usecase/port/policy-store';
import { FakeClock, settled } from '../../support/fake-clock';
import { InMemoryConfiguration } from '../../support/in-memory-configuration';
import { RecordingIncidents } from '../../support/recording-incidents';
import { aTenant, sampleEntries } from '../../support/sample-catalog';
import { aVersion } from '../../support/sample-policy';

const CANARY = {
  target: { provider: 'mistral', model: 'mistral-s' },
  percent: 50,
  rollbackOn: { errorRate: 0.2, minRequests: 20 },
};
const POLICY: RoutingPolicyInput = {
  match: ['auto'],
  primary: { provider: 'openai', model: 'gpt-s' },
  canary: CANARY,
  settings: { maxHops: 2 },
};
const WITHOUT = { ...POLICY, canary: null };
const REF = { tenant: 'ten_1', policy: 'main', version: 1 };

async function bench(given: Partial<PolicyStore> = {}) {
  const configuration = new InMemoryConfiguration(sampleEntries());
  await configuration.insertTenant(aTenant());
  await configuration.append(aVersion(POLICY));
  const incidents = new RecordingIncidents();
  const policies = {
    append: given.append ?? configuration.append.bind(configuration),
    versions: configuration.versions.bind(configuration),
  };
  const tallies = new InMemoryCanaryTallies();
  const clock = new FakeClock(5_000);
  const canary = new RunCanary({ configuration, policies, tallies, incidents, clock });
  const observe = async (served: number, failed: number): Promise<void> => {
    for (let request = 0; request < served; request += 1) canary.observe(REF, 'served');
    for (let request = 0; request < failed; request += 1) canary.observe(REF, 'failed');
    await settled();
  };
  const current = () => configuration.policiesOf('ten_1').get('main');
  return { configuration, incidents, canary, observe, current };
}

describe('a canary', () => {
  it.each([
    { name: 'that has served', served: 500, failed: 0, version: 1 },
    { name: 'that failed in too few requests to tell', served: 0, failed: 19, version: 1 },
    { name: 'that failed a little less than its rule says', served: 17, failed: 4, version: 1 },
    { name: 'that failed as often as its rule says', served: 16, failed: 4, version: 2 },
    { name: 'that failed in every one of enough requests', served: 0, failed: 20, version: 2 },
  ])('$name leaves version $version', async ({ served, failed, version }) => {
    const { observe, current } = await bench();

    await observe(served, failed);

    expect(current()?.version).toBe(version);
  });

  it('is taken back once, with everything else as it was, by no one’s key', async () => {
    const { observe, current, configuration, incidents } = await bench();

    await observe(0, 60);

    expect(await configuration.versions('ten_1', 'main')).toHaveLength(2);
    expect(current()).toEqual(
      aVersion(WITHOUT, { version: 2, createdAtMs: 5_000, createdBy: 'canary-rollback', restoredFrom: null }),
    );
    expect(incidents.rollbacks).toEqual([{ ...REF, newVersion: 2, requests: 20, failures: 20 }]);
  });

  it('says nothing of a version that was written meanwhile', async () => {
    const { observe, current, configuration } = await bench();
    await configuration.append(aVersion(POLICY, { version: 2 }));

    await observe(0, 60);

    expect(current()?.version).toBe(2);
  });
});

describe('an admin who writes while a canary is taken back', () => {
  /** The store when our write comes: somebody else's has just come before it. */
  const overtakenBy = async (input: RoutingPolicyInput) => {
    const made = await bench({
      append: async (version) => {
        if (version.version === 2)
          await made.configuration.append(aVersion(input, { version: 2, createdBy: 'admin' }));
        return made.configuration.append(version);
      },
    });
    await made.observe(0, 20);
    return made.current();
  };

  it('keeps what he wrote when he has taken the canary out himself', async () => {
    expect(await overtakenBy(WITHOUT)).toMatchObject({ version: 2, createdBy: 'admin' });
  });

  it('keeps a canary that he has changed: it is another one', async () => {
    const changed = { ...POLICY, canary: { ...CANARY, percent: 5 } };

    expect(await overtakenBy(changed)).toMatchObject({ version: 2, createdBy: 'admin' });
  });

  it('keeps every other change, and loses the same canary', async () => {
    const longer = { ...POLICY, settings: { maxHops: 3 } };

    const current = await overtakenBy(longer);

    expect(current).toEqual(
      aVersion({ ...longer, canary: null }, { version: 3, createdAtMs: 5_000, createdBy: 'canary-rollback' }),
    );
  });

  it('has the policy stay away when he has removed it', async () => {
    const { configuration, observe, current } = await bench();
    await configuration.remove('ten_1', 'main', 1);

    await observe(0, 20);

    expect(current()).toBeUndefined();
    expect(await configuration.versions('ten_1', 'main')).toHaveLength(1);
  });
});

describe('a store that is gone when a canary is to be taken back', () => {
  it('is told to the operator, and the next failure tries again', async () => {
    const { configuration, incidents, observe, current } = await bench();
    configuration.unavailable = true;
    await observe(0, 20);
    configuration.unavailable = false;

    await observe(0, 1);

    expect(incidents.failedRollbacks).toEqual([REF]);
    expect(current()).toMatchObject({ version: 2, createdBy: 'canary-rollback' });
  });
});
