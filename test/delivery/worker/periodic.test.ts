import { Periodic } from '../../../src/delivery/worker/periodic';

describe('periodic', () => {
  let runs: { end: () => void; fail: (error: Error) => void }[];
  let failures: unknown[];

  beforeEach(() => {
    jest.useFakeTimers();
    runs = [];
    failures = [];
  });
  afterEach(() => jest.useRealTimers());

  const task = (): Promise<void> => new Promise((end, fail) => runs.push({ end, fail }));
  const periodic = (run: () => Promise<unknown> = task): Periodic =>
    new Periodic(run, 1_000, (error) => failures.push(error));

  it('runs at once, and then after each pause', async () => {
    const series = periodic();

    series.start();
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await jest.advanceTimersByTimeAsync(999);
    expect(runs).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);

    expect(runs).toHaveLength(2);
  });

  it('never runs twice at once, however long a run takes', async () => {
    periodic().start();

    await jest.advanceTimersByTimeAsync(60_000);

    expect(runs).toHaveLength(1);
  });

  it('goes on after a failure, and reports it', async () => {
    periodic().start();

    runs[0]?.fail(new Error('store gone'));
    await jest.advanceTimersByTimeAsync(1_000);

    expect(failures).toEqual([new Error('store gone')]);
    expect(runs).toHaveLength(2);
  });

  it('takes a task that throws before it promises anything for a failure', async () => {
    const series = periodic(() => {
      throw new Error('at once');
    });

    series.start();
    await jest.advanceTimersByTimeAsync(1_000);

    expect(failures).toEqual([new Error('at once'), new Error('at once')]);
  });

  it('stops when the run that is under way has ended', async () => {
    const series = periodic();
    series.start();
    let stopped = false;

    const stopping = series.stop().then(() => (stopped = true));
    await jest.advanceTimersByTimeAsync(5_000);
    expect(stopped).toBe(false);
    runs[0]?.end();
    await stopping;
    await jest.advanceTimersByTimeAsync(5_000);

    expect(runs).toHaveLength(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('stops between two runs', async () => {
    const series = periodic();
    series.start();
    runs[0]?.end();
    await jest.advanceTimersByTimeAsync(500);

    await series.stop();
    await jest.advanceTimersByTimeAsync(5_000);

    expect(runs).toHaveLength(1);
  });

  it('stops before it was started', async () => {
    await expect(periodic().stop()).resolves.toBeUndefined();
  });
});
