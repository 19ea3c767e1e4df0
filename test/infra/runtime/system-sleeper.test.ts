import { SystemSleeper } from '../../../src/infra/runtime/system-sleeper';
import { SystemTimer } from '../../../src/infra/runtime/system-timer';

describe('system sleeper', () => {
  const sleeper = new SystemSleeper(new SystemTimer());
  const listeners = (signal: AbortSignal): number =>
    jest.mocked(signal.removeEventListener).mock.calls.length;

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('wakes after the delay, and not before', async () => {
    let outcome: string | null = null;
    void sleeper.sleep(1_000, new AbortController().signal).then((how) => (outcome = how));

    await jest.advanceTimersByTimeAsync(999);
    expect(outcome).toBeNull();
    await jest.advanceTimersByTimeAsync(1);

    expect(outcome).toBe('woke');
  });

  it.each([[0], [-5]])('doesn’t sleep for %i ms', async (delayMs) => {
    expect(await sleeper.sleep(delayMs, new AbortController().signal)).toBe('woke');
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each([[0], [1_000]])('is aborted before a sleep of %i ms', async (delayMs) => {
    expect(await sleeper.sleep(delayMs, AbortSignal.abort())).toBe('aborted');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is aborted in the middle, and leaves no timer', async () => {
    const abort = new AbortController();
    const sleeping = sleeper.sleep(1_000, abort.signal);

    abort.abort();

    expect(await sleeping).toBe('aborted');
    expect(jest.getTimerCount()).toBe(0);
  });

  // A long-lived signal would collect a listener for every sleep.
  it('leaves no listener behind', async () => {
    const { signal } = new AbortController();
    jest.spyOn(signal, 'removeEventListener');
    const sleeping = sleeper.sleep(10, signal);

    await jest.advanceTimersByTimeAsync(10);
    await sleeping;

    expect(listeners(signal)).toBe(1);
  });
});

describe('system timer', () => {
  const timer = new SystemTimer();

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('calls once', () => {
    const onElapsed = jest.fn();

    timer.start(10, onElapsed);
    jest.advanceTimersByTime(100);

    expect(onElapsed).toHaveBeenCalledTimes(1);
  });

  it('calls nobody after a cancel', () => {
    const onElapsed = jest.fn();

    timer.start(10, onElapsed)();
    jest.advanceTimersByTime(100);

    expect(onElapsed).not.toHaveBeenCalled();
  });

  it.each([
    [-1, 0],
    [2_147_483_648, 2_147_483_647],
    [Infinity, 2_147_483_647],
  ])('waits %i ms as %i ms: Node would fire at once', (delayMs, waitedMs) => {
    const start = jest.spyOn(globalThis, 'setTimeout');

    timer.start(delayMs, () => undefined);

    expect(start).toHaveBeenCalledWith(expect.any(Function), waitedMs);
  });
});
