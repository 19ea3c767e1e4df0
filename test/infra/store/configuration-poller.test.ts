import { ConfigurationPoller } from '../../../src/infra/store/configuration-poller';

/** Counts its refreshes; each lasts until it is told to end. */
class ScriptedFollower {
  refreshes = 0;
  private end: { resolve: () => void; reject: (error: unknown) => void } | null = null;

  refresh(): Promise<void> {
    this.refreshes += 1;
    return new Promise((resolve, reject) => (this.end = { resolve, reject }));
  }

  async succeed(): Promise<void> {
    this.end?.resolve();
    await jest.advanceTimersByTimeAsync(0);
  }

  async fail(error: unknown): Promise<void> {
    this.end?.reject(error);
    await jest.advanceTimersByTimeAsync(0);
  }
}

describe('configuration poller', () => {
  let follower: ScriptedFollower;
  let failures: unknown[];
  let poller: ConfigurationPoller;
  beforeEach(() => {
    jest.useFakeTimers();
    follower = new ScriptedFollower();
    failures = [];
    poller = new ConfigurationPoller(follower, (error) => failures.push(error));
  });
  afterEach(() => {
    poller.stop();
    jest.useRealTimers();
  });

  it('refreshes every second', async () => {
    poller.start();

    await jest.advanceTimersByTimeAsync(999);
    expect(follower.refreshes).toBe(0);
    await jest.advanceTimersByTimeAsync(1);
    expect(follower.refreshes).toBe(1);
    await follower.succeed();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(follower.refreshes).toBe(2);
  });

  it('never has two refreshes running', async () => {
    poller.start();

    await jest.advanceTimersByTimeAsync(10_000);

    expect(follower.refreshes).toBe(1);
  });

  it('reports a failure and goes on', async () => {
    poller.start();
    await jest.advanceTimersByTimeAsync(1_000);

    await follower.fail('store gone');
    await jest.advanceTimersByTimeAsync(1_000);

    expect(failures).toEqual(['store gone']);
    expect(follower.refreshes).toBe(2);
  });

  it.each([
    ['between two refreshes', 500],
    ['during a refresh', 1_000],
  ])('stops %s', async (_, atMs) => {
    poller.start();
    await jest.advanceTimersByTimeAsync(atMs);
    const before = follower.refreshes;

    poller.stop();
    await follower.succeed();
    await jest.advanceTimersByTimeAsync(5_000);

    expect(follower.refreshes).toBe(before);
  });

  describe('hurried', () => {
    it('reads at once, and a second after that again', async () => {
      poller.start();
      await jest.advanceTimersByTimeAsync(500);

      poller.hurry();

      expect(follower.refreshes).toBe(1);
      await follower.succeed();
      await jest.advanceTimersByTimeAsync(999);
      expect(follower.refreshes).toBe(1);
      await jest.advanceTimersByTimeAsync(1);
      expect(follower.refreshes).toBe(2);
    });

    it('reads once more when a reading is under way, which may have missed the change', async () => {
      poller.start();
      poller.hurry();
      poller.hurry();
      poller.hurry();

      await follower.succeed();
      expect(follower.refreshes).toBe(2);
      await follower.succeed();

      await jest.advanceTimersByTimeAsync(999);
      expect(follower.refreshes).toBe(2);
    });

    it('reads nothing once it is stopped', () => {
      poller.start();
      poller.stop();

      poller.hurry();

      expect(follower.refreshes).toBe(0);
    });
  });

  it('started twice polls once', async () => {
    poller.start();
    poller.start();

    await jest.advanceTimersByTimeAsync(1_000);

    expect(follower.refreshes).toBe(1);
  });
});
