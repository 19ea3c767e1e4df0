import type { ProviderHealth } from '../health/provider-health';
import { byCost } from './cost-strategy';
import { byLatency } from './latency-strategy';
import { byPriority } from './priority-strategy';
import type { StrategyName } from './strategy-name';

/** Negative: the first goes before the second; 0: they keep their listed order. */
type Ordering = (one: ProviderHealth, other: ProviderHealth) => number;

const ORDERINGS: Readonly<Record<StrategyName, Ordering>> = {
  priority: byPriority,
  cost: byCost,
  latency: byLatency,
};

/** Orders what can be fallen back to: healthy before unhealthy, then by strategy, then as listed (DESIGN §4). */
export function orderByStrategy<T extends Readonly<{ health: ProviderHealth }>>(
  listed: readonly T[],
  strategy: StrategyName,
): readonly T[] {
  const ordering = ORDERINGS[strategy];
  return listed.toSorted(
    (one, other) =>
      Number(other.health.healthy) - Number(one.health.healthy) || ordering(one.health, other.health),
  );
}
