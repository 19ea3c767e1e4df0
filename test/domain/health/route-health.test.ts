import { DEFAULT_BREAKER } from '../../../src/domain/health/circuit-breaker';
import { meanOf } from '../../../src/domain/health/ewma';
import {
  admit,
  admitAsLastResort,
  conditionOf,
  freshHealth,
  observe,
  openedUntil,
  throttledUntil,
} from '../../../src/domain/health/route-health';
import type { Observation, RouteHealth } from '../../../src/domain/health/route-health';

const START = 1_000_000;

function observation(given: Partial<Observation>): Observation {
  return {
    outcome: 'success',
    generation: 0,
    latencyMs: null,
    totalMs: null,
    throttleUntilMs: null,
    ...given,
  };
}

const seen = (health: RouteHealth, given: Partial<Observation>, nowMs = START): RouteHealth =>
  observe(health, observation(given), nowMs, DEFAULT_BREAKER);

const view = (health: RouteHealth, nowMs: number) => conditionOf('off', health, nowMs, DEFAULT_BREAKER);

const broken = [1, 2, 3].reduce((health) => seen(health, { outcome: 'failure' }), freshHealth());

describe('route health', () => {
  it('of a route that was never used admits and has no latency', () => {
    const health = freshHealth();

    expect(admit(health, START, DEFAULT_BREAKER).permission).toEqual({
      kind: 'granted',
      generation: 0,
      trial: false,
    });
    expect(view(health, START)).toEqual({
      route: 'off',
      circuit: { state: 'closed' },
      throttledUntilMs: null,
      latencyMs: null,
    });
  });

  it('learns latency, total and success from an answer', () => {
    const health = seen(freshHealth(), { latencyMs: 120, totalMs: 900 });

    expect(meanOf(health.firstOutput)).toBe(120);
    expect(meanOf(health.total)).toBe(900);
    expect(meanOf(health.success)).toBe(1);
  });

  it.each(['failure', 'account_fault'] as const)('learns from a %s that it did not serve', (outcome) => {
    const health = seen(freshHealth(), { outcome });

    expect(meanOf(health.success)).toBe(0);
    expect(health.firstOutput).toBeNull();
  });

  it('leaves every mean untouched after a neutral outcome', () => {
    const health = seen(freshHealth(), { outcome: 'neutral', latencyMs: 5, totalMs: 5 });

    expect(health).toEqual(freshHealth());
  });

  it('throttles without opening the circuit when the provider asks to wait', () => {
    const health = seen(freshHealth(), { outcome: 'neutral', throttleUntilMs: START + 3_000 });

    expect(view(health, START)).toMatchObject({ circuit: { state: 'closed' }, throttledUntilMs: 1_003_000 });
  });

  it('does not make a trial of a throttled route', () => {
    const health = throttledUntil(freshHealth(), START + 3_000, START);

    expect(health.throttledUntilMs).toBe(1_003_000);
    expect(admit(health, START, DEFAULT_BREAKER).permission.kind).toBe('granted');
  });

  it('still measures a late answer that says nothing to the circuit any more', () => {
    const health = seen(broken, { generation: 0, latencyMs: 80 }, START + 10);

    expect(health.breaker).toBe(broken.breaker);
    expect(meanOf(health.firstOutput)).toBe(80);
  });

  it('opens on word from elsewhere', () => {
    expect(view(openedUntil(freshHealth(), START + 500), START).circuit).toEqual({
      state: 'open',
      untilMs: 1_000_500,
      trialTaken: false,
    });
  });

  describe('shows the circuit', () => {
    it.each([
      {
        name: 'open while its time runs',
        nowMs: START + 59_999,
        circuit: { state: 'open', untilMs: 1_060_000, trialTaken: false },
      },
      {
        name: 'half-open when its time is over',
        nowMs: START + 60_000,
        circuit: { state: 'half_open', trialTaken: false },
      },
    ])('$name', ({ nowMs, circuit }) => {
      expect(view(broken, nowMs).circuit).toEqual(circuit);
    });

    it('half-open with the trial taken', () => {
      const { health } = admit(broken, START + 60_000, DEFAULT_BREAKER);

      expect(view(health, START + 60_001).circuit).toEqual({ state: 'half_open', trialTaken: true });
    });

    it('half-open with the slot free again after a neutral trial', () => {
      const { health } = admit(broken, START + 60_000, DEFAULT_BREAKER);
      const after = seen(health, { outcome: 'neutral', generation: 2 }, START + 60_001);

      expect(view(after, START + 60_001).circuit).toEqual({ state: 'half_open', trialTaken: false });
    });

    it('open with the one last-resort trial taken', () => {
      const { health } = admitAsLastResort(broken, START + 10, DEFAULT_BREAKER);

      expect(view(health, START + 11).circuit).toEqual({
        state: 'open',
        untilMs: 1_060_000,
        trialTaken: true,
      });
    });
  });
});
