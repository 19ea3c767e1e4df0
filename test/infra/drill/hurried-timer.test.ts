import { HURRIED_BACKOFF, HURRIED_LIMIT, HurriedTimer } from '../../../src/infra/drill/hurried-timer';
import { PassingClock } from '../../../src/infra/drill/passing-clock';
import type { Timer } from '../../../src/usecase/port/timer';

class ManualTimer implements Timer {
  readonly started: { delayMs: number; fire: () => void }[] = [];
  start(delayMs: number, onElapsed: () => void) {
    this.started.push({ delayMs, fire: onElapsed });
    return () => undefined;
  }
}

describe('hurried waiting', () => {
  it('fires early, when to the gateway the whole delay has passed', () => {
    const clock = new PassingClock({ nowMs: () => 1_000 });
    const real = new ManualTimer();
    const seen: number[] = [];

    new HurriedTimer(real, clock, HURRIED_BACKOFF).start(60_000, () => seen.push(clock.nowMs()));
    real.started[0]!.fire();

    expect(real.started[0]!.delayMs).toBe(60);
    expect(seen).toEqual([61_000]);
  });

  it('never turns the clock back', () => {
    const clock = new PassingClock({ nowMs: () => 1_000 });

    clock.passTo(5_000);
    clock.passTo(2_000);

    expect(clock.nowMs()).toBe(5_000);
  });

  it.each([
    ['five minutes', 300_000, 3_000],
    ['an hour', 3_600_000, 36_000],
    ['less than a loopback call may take on a busy machine', 2_000, 2_000],
  ])('leaves a limit enough time: %s', (_, delayMs, realMs) => {
    expect(HURRIED_LIMIT(delayMs)).toBe(realMs);
  });
});
