import { fallbackReasonOf } from '../../domain/interaction/fallback-reason';
import type { Ledger } from '../../domain/interaction/ledger';
import { costMultiplier, type FailoverFacts, type ServedFacts } from '../../domain/interaction/served-facts';
import type { NextAttempt } from '../../domain/resilience/next-action';
import type { Plan } from '../../domain/routing/plan';

/** What the answer will say of itself if this attempt serves it. */
export function factsOf(plan: Plan, ledger: Ledger, next: NextAttempt): ServedFacts {
  const { route } = next.candidate;
  return {
    requestedModel: plan.requestedModel,
    provider: route.provider,
    model: route.model,
    attempts: ledger.length + 1,
    failover: failoverOf(plan, ledger, next),
    ignoredParams: [],
    responseModel: plan.settings.responseModel,
  };
}

function failoverOf(plan: Plan, ledger: Ledger, next: NextAttempt): FailoverFacts | null {
  const { route, failover } = next.candidate;
  // Without a primary there is nothing to measure a fallback against, so the cost gate has refused every one.
  if (!failover || plan.primary === null) return null;
  const primary = plan.primary.route;
  return {
    reason: fallbackReasonOf(plan, ledger, next.refusals),
    fromProvider: primary.provider,
    fromModel: primary.model,
    toProvider: route.provider,
    toModel: route.model,
    costMultiplier: costMultiplier(primary.price, route.price),
  };
}
