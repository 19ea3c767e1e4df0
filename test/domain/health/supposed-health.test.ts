import { DEFAULT_BREAKER } from '../../../src/domain/health/circuit-breaker';
import { conditionOf, freshHealth, observe, openedUntil } from '../../../src/domain/health/route-health';
import type { RouteHealth } from '../../../src/domain/health/route-health';
import { supposed } from '../../../src/domain/health/supposed-health';
import type { SupposedHealth } from '../../../src/domain/health/supposed-health';

const NOW_MS = 1_000_000;
const SEEN: RouteHealth = observe(
  freshHealth(),
  { outcome: 'success', generation: 0, latencyMs: 300, totalMs: 900, throttleUntilMs: NOW_MS + 5_000 },
  NOW_MS,
  DEFAULT_BREAKER,
);

describe('a supposed health', () => {
  it.each<
    [name: string, observed: RouteHealth, supposition: SupposedHealth, circuit: object, until: number | null]
  >([
    [
      'healthy ends an open circuit',
      openedUntil(SEEN, NOW_MS + 9_000),
      { kind: 'healthy' },
      { state: 'closed' },
      null,
    ],
    ['healthy ends a throttle', SEEN, { kind: 'healthy' }, { state: 'closed' }, null],
    [
      'open opens for a minute',
      SEEN,
      { kind: 'open' },
      { state: 'open', untilMs: 1_060_000, trialTaken: false },
      null,
    ],
    [
      'open takes the place of a longer opening',
      openedUntil(SEEN, NOW_MS + 99_000),
      { kind: 'open' },
      { state: 'open', untilMs: 1_060_000, trialTaken: false },
      null,
    ],
    ['throttled waits as told', SEEN, { kind: 'throttled', forMs: 2_000 }, { state: 'closed' }, 1_002_000],
  ])('%s', (...row) => {
    const [, observed, supposition, circuit, until] = row;
    const condition = conditionOf(
      'oa-1',
      supposed(observed, supposition, NOW_MS, DEFAULT_BREAKER),
      NOW_MS,
      DEFAULT_BREAKER,
    );

    expect(condition).toEqual({ route: 'oa-1', circuit, throttledUntilMs: until, latencyMs: 300 });
  });
});
