import type { ModelName, ProviderId } from '../kernel/ids';

/** A (provider, model) that a policy names; its routes are the channels of that provider that offer the model. */
export type Target = Readonly<{ provider: ProviderId; model: ModelName }>;

/** Whether both name the same model at the same provider. */
export function isSameTarget(one: Target, other: Target): boolean {
  return one.provider === other.provider && one.model === other.model;
}
