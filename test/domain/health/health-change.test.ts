import fc from 'fast-check';
import {
  DEFAULT_BREAKER,
  type CircuitBreaker,
  type HealthOutcome,
} from '../../../src/domain/health/circuit-breaker';
import {
  changedElsewhere,
  changesBetween,
  trialOverElsewhere,
} from '../../../src/domain/health/health-change';
import type { HealthChange } from '../../../src/domain/health/health-change';
import {
  admit,
  admitAsLastResort,
  freshHealth,
  observe,
  openedUntil,
  throttledUntil,
  type RouteHealth,
} from '../../../src/domain/health/route-health';
import { MAX_THROTTLE_MS } from '../../../src/domain/health/throttle';

const NOW = 1_000_000;
const OPEN_MS = DEFAULT_BREAKER.openMs;
const FRESH = freshHealth();

const at = (breaker: Partial<CircuitBreaker>, throttledUntilMs: number | null = null): RouteHealth => ({
  ...FRESH,
  breaker: { generation: 1, ...breaker } as CircuitBreaker,
  throttledUntilMs,
});
const open = (untilMs: number, trialSinceMs: number | null = null): RouteHealth =>
  at({ state: 'open', untilMs, trialSinceMs });
const halfOpen = (trialSinceMs: number | null): RouteHealth => at({ state: 'half_open', trialSinceMs });
const throttled = (untilMs: number): RouteHealth => ({ ...FRESH, throttledUntilMs: untilMs });

const said = (health: RouteHealth, outcome: HealthOutcome, generation: number): RouteHealth =>
  observe(
    health,
    { outcome, generation, latencyMs: 5, totalMs: 5, throttleUntilMs: null },
    NOW,
    DEFAULT_BREAKER,
  );

describe('what a process tells the others of a route', () => {
  it.each<[string, RouteHealth, RouteHealth, readonly HealthChange[]]>([
    ['nothing of an outcome', FRESH, said(FRESH, 'failure', 0), []],
    ['an opening', FRESH, open(NOW + 60_000), [{ kind: 'opened', forMs: 60_000 }]],
    ['nothing of an opening that is over', FRESH, open(NOW), []],
    ['a longer opening', open(NOW + 10), open(NOW + 60_000), [{ kind: 'opened', forMs: 60_000 }]],
    ['nothing of the same opening', open(NOW + 10), open(NOW + 10), []],
    ['nothing of a trial that begins', open(NOW), halfOpen(NOW), []],
    ['nothing of a last resort that begins', open(NOW + 10), open(NOW + 10, NOW), []],
    ['a trial that ended neutrally', halfOpen(NOW - 9), halfOpen(null), [{ kind: 'trial_over' }]],
    [
      'a trial that failed',
      halfOpen(NOW - 9),
      open(NOW + 60_000),
      [{ kind: 'trial_over' }, { kind: 'opened', forMs: 60_000 }],
    ],
    [
      'a trial that served',
      halfOpen(NOW - 9),
      said(halfOpen(NOW - 9), 'success', 1),
      [{ kind: 'trial_over' }, { kind: 'closed' }],
    ],
    [
      'an opening during a trial that goes on',
      halfOpen(NOW - 9),
      open(NOW + 60_000, NOW - 9),
      [{ kind: 'opened', forMs: 60_000 }],
    ],
    ['a throttle', FRESH, throttled(NOW + 7), [{ kind: 'throttled', forMs: 7 }]],
    ['a later throttle', throttled(NOW + 6), throttled(NOW + 7), [{ kind: 'throttled', forMs: 7 }]],
    ['nothing of the same throttle', throttled(NOW + 7), throttled(NOW + 7), []],
    ['nothing of a throttle that is over', FRESH, throttled(NOW), []],
  ])('%s', (_, before, after, changes) => {
    expect(changesBetween(before, after, NOW)).toEqual(changes);
  });

  it('costs no memory while nothing happens', () => {
    expect(changesBetween(FRESH, FRESH, NOW)).toBe(changesBetween(FRESH, said(FRESH, 'success', 0), NOW));
  });
});

describe('what another process has told of a route', () => {
  const told = (health: RouteHealth, change: Parameters<typeof changedElsewhere>[1]): RouteHealth =>
    changedElsewhere(health, change, NOW, DEFAULT_BREAKER);

  it.each<[string, RouteHealth, number, number]>([
    ['opens a closed circuit', FRESH, 30_000, NOW + 30_000],
    ['never for longer than our own rule would', FRESH, OPEN_MS + 1, NOW + OPEN_MS],
    ['lengthens an opening', open(NOW + 5), 30_000, NOW + 30_000],
    ['shortens none', open(NOW + 50_000), 30_000, NOW + 50_000],
    ['opens a half-open one again', halfOpen(null), 30_000, NOW + 30_000],
  ])('%s', (_, health, forMs, untilMs) => {
    expect(told(health, { kind: 'opened', forMs }).breaker).toMatchObject({ state: 'open', untilMs });
  });

  it('silences attempts that began before it opened', () => {
    const before = admit(FRESH, NOW, DEFAULT_BREAKER);
    const opened = told(before.health, { kind: 'opened', forMs: 30_000 });

    expect(said(opened, 'success', before.health.breaker.generation).breaker).toEqual(opened.breaker);
  });

  it('closes an open circuit on probation, and silences our own trial', () => {
    const trial = admitAsLastResort(open(NOW + 9), NOW, DEFAULT_BREAKER);
    const closed = told(trial.health, { kind: 'closed' });

    expect(closed.breaker).toMatchObject({
      state: 'closed',
      probation: { untilMs: NOW + DEFAULT_BREAKER.windowMs, failuresInRow: 0 },
    });
    expect(said(closed, 'account_fault', trial.health.breaker.generation).breaker).toEqual(closed.breaker);
  });

  it('leaves a closed circuit its window when it closes', () => {
    const failed = said(FRESH, 'failure', 0);

    expect(told(failed, { kind: 'closed' })).toEqual(failed);
  });

  it.each([
    ['throttles', null, 500, NOW + 500],
    ['lengthens a throttle', NOW + 400, 500, NOW + 500],
    ['shortens no throttle', NOW + 600, 500, NOW + 600],
    [
      'never throttles for longer than a provider is believed',
      null,
      MAX_THROTTLE_MS + 1,
      NOW + MAX_THROTTLE_MS,
    ],
  ])('%s', (_, throttledUntilMs, forMs, expected) => {
    const health = { ...FRESH, throttledUntilMs };

    expect(told(health, { kind: 'throttled', forMs }).throttledUntilMs).toBe(expected);
  });

  it('gives the slot back that a trial elsewhere held', () => {
    const { health } = admit(open(NOW), NOW, DEFAULT_BREAKER);

    const after = trialOverElsewhere(health, health.breaker.generation, NOW, DEFAULT_BREAKER);

    expect(after.breaker).toMatchObject({ state: 'half_open', trialSinceMs: null });
  });

  it('gives no slot back that a later trial holds', () => {
    const { health } = admit(open(NOW), NOW, DEFAULT_BREAKER);

    expect(trialOverElsewhere(health, health.breaker.generation - 1, NOW, DEFAULT_BREAKER)).toEqual(health);
  });
});

describe('two processes that tell each other everything', () => {
  const step = fc.record({
    by: fc.constantFrom(0, 1),
    outcome: fc.constantFrom<HealthOutcome>('success', 'failure', 'neutral', 'account_fault'),
    throttleMs: fc.option(fc.integer({ min: 1, max: 90_000 }), { nil: null }),
    waitMs: fc.integer({ min: 0, max: 40_000 }),
  });

  it('agree at any moment on whether the circuit is open, until when, and until when the route is throttled', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const process = [FRESH, FRESH];
        let nowMs = NOW;
        for (const { by, outcome, throttleMs, waitMs } of steps) {
          nowMs += waitMs;
          const { health, permission } = admit(process[by]!, nowMs, DEFAULT_BREAKER);
          if (permission.kind === 'refused') continue;
          const { generation } = permission;
          const throttleUntilMs = throttleMs === null ? null : nowMs + throttleMs;
          const after = observe(
            health,
            { outcome, generation, latencyMs: null, totalMs: null, throttleUntilMs },
            nowMs,
            DEFAULT_BREAKER,
          );
          for (const change of [
            ...changesBetween(process[by]!, health, nowMs),
            ...changesBetween(health, after, nowMs),
          ]) {
            if (change.kind === 'trial_over') continue;
            process[1 - by] = changedElsewhere(process[1 - by]!, change, nowMs, DEFAULT_BREAKER);
          }
          process[by] = after;
          const [own, other] = process.map(({ breaker, throttledUntilMs }) => ({
            untilMs: breaker.state === 'open' && nowMs < breaker.untilMs ? breaker.untilMs : null,
            closed: breaker.state === 'closed',
            throttledUntilMs: throttledUntilMs !== null && throttledUntilMs > nowMs ? throttledUntilMs : null,
          }));
          expect(other).toEqual(own);
        }
      }),
    );
  });

  it('never turn an opening into a longer one by telling it on', () => {
    const opened = openedUntil(FRESH, NOW + OPEN_MS);
    const [change] = changesBetween(FRESH, opened, NOW);

    const echoed = changedElsewhere(
      opened,
      change as { kind: 'opened'; forMs: number },
      NOW,
      DEFAULT_BREAKER,
    );

    expect(echoed).toEqual(opened);
    expect(changesBetween(opened, echoed, NOW)).toEqual([]);
    expect(throttledUntil(FRESH, NOW, NOW)).toEqual(FRESH);
  });
});
