import { CommitWitness } from '../../../src/infra/store/commit-witness';
import { FakeClock } from '../../support/fake-clock';

describe('the witness of commits', () => {
  let clock: FakeClock;
  let failure: Error | null;
  let witness: CommitWitness;

  beforeEach(() => {
    clock = new FakeClock();
    failure = null;
    witness = new CommitWitness(
      { commit: () => (failure === null ? Promise.resolve([]) : Promise.reject(failure)) },
      clock,
    );
  });

  const fail = async (): Promise<void> => {
    failure = new Error('No space left on device');
    await expect(witness.commit([])).rejects.toBe(failure);
  };

  it('has seen nothing fail at first', () => {
    expect(witness.isFailing()).toBe(false);
  });

  it('says that the last commit failed until another one succeeds', async () => {
    await fail();
    expect(witness.isFailing()).toBe(true);

    failure = null;
    await witness.commit([]);
    expect(witness.isFailing()).toBe(false);
  });

  it('forgets after three seconds, so that somebody tries again', async () => {
    await fail();

    await clock.advance(2_999);
    expect(witness.isFailing()).toBe(true);
    await clock.advance(1);
    expect(witness.isFailing()).toBe(false);
  });
});
