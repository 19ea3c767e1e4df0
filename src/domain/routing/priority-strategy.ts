import type { ProviderHealth } from '../health/provider-health';

/** As listed: no target goes before another for what is known of it. */
export function byPriority(_one: ProviderHealth, _other: ProviderHealth): number {
  return 0;
}
