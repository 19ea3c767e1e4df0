import { assertNever } from '../kernel/assert-never';
import { FRESH_BREAKER } from './circuit-breaker';
import type { BreakerSettings } from './circuit-breaker';
import { openedUntil, throttledUntil } from './route-health';
import type { RouteHealth } from './route-health';

/** What somebody supposes of a route, in place of what was observed. */
export type SupposedHealth =
  | Readonly<{ kind: 'healthy' }>
  /** Its circuit has just opened. */
  | Readonly<{ kind: 'open' }>
  /** Its provider has just asked to wait so many milliseconds. */
  | Readonly<{ kind: 'throttled'; forMs: number }>;

/** The health of a route under a supposition. What was measured of its speed stays: it orders routes, healthy or not. */
export function supposed(
  observed: RouteHealth,
  supposition: SupposedHealth,
  nowMs: number,
  settings: BreakerSettings,
): RouteHealth {
  const healthy = { ...observed, breaker: FRESH_BREAKER, throttledUntilMs: null };
  switch (supposition.kind) {
    case 'healthy':
      return healthy;
    case 'open':
      return openedUntil(healthy, nowMs + settings.openMs);
    case 'throttled':
      return throttledUntil(healthy, nowMs + supposition.forMs, nowMs);
    default:
      return assertNever(supposition);
  }
}
