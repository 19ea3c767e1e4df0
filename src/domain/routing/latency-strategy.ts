import type { ProviderHealth } from '../health/provider-health';

/** The lowest observed time to first output first. A target that was never seen promises nothing, so it goes last. */
export function byLatency(one: ProviderHealth, other: ProviderHealth): number {
  if (one.latencyMs === null || other.latencyMs === null) {
    return Number(one.latencyMs === null) - Number(other.latencyMs === null);
  }
  return one.latencyMs - other.latencyMs;
}
