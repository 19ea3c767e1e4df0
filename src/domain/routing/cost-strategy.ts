import type { ProviderHealth } from '../health/provider-health';

/** The lowest price first. An unknown price is never zero, so it goes last. */
export function byCost(one: ProviderHealth, other: ProviderHealth): number {
  if (one.costMicroUsd === null || other.costMicroUsd === null) {
    return Number(one.costMicroUsd === null) - Number(other.costMicroUsd === null);
  }
  return one.costMicroUsd - other.costMicroUsd;
}
