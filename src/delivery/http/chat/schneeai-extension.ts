import type { ServedFacts } from '../../../domain/interaction/served-facts';

export type SchneeaiExtension = Readonly<Record<string, unknown>>;

/** The `schneeai` object of an answer (DESIGN §8); null: nothing happened that the caller has to know. */
export function extensionOf(facts: ServedFacts): SchneeaiExtension | null {
  const { failover, ignoredParams } = facts;
  if (failover === null && ignoredParams.length === 0) return null;
  return {
    ...(failover === null
      ? {}
      : {
          fallback_reason: failover.reason,
          fallback_from: failover.fromModel,
          fallback_to: failover.toModel,
          fallback_from_model: failover.fromModel,
          fallback_to_model: failover.toModel,
          fallback_from_provider: failover.fromProvider,
          fallback_to_provider: failover.toProvider,
          fallback_cost_multiplier: failover.costMultiplier,
        }),
    served_model: facts.model,
    served_provider: facts.provider,
    attempts: facts.attempts,
    ...(ignoredParams.length === 0 ? {} : { ignored_params: ignoredParams }),
  };
}
