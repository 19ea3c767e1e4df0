import type { CircuitView } from '../../src/domain/health/provider-health';
import { indexPolicies } from '../../src/domain/routing/match-policy';
import { planRoutes } from '../../src/domain/routing/plan';
import type { Plan, PlanInput } from '../../src/domain/routing/plan';
import type { PolicyVersion } from '../../src/domain/routing/policy-version';
import type { RoutingPolicyInput } from '../../src/domain/routing/routing-policy';
import { aRequest, aTenant, conditions, sampleCatalog } from './sample-catalog';
import { aVersion } from './sample-policy';

export const GPT = { provider: 'openai', model: 'gpt-s' };
export const AZURE = { provider: 'azure', model: 'gpt-s' };
export const CLAUDE = { provider: 'anthropic', model: 'claude-s' };
export const MISTRAL = { provider: 'mistral', model: 'mistral-s' };
export const OPEN: CircuitView = { state: 'open', untilMs: 1_060_000, trialTaken: false };

export type GivenPlanInput = Partial<Omit<PlanInput, 'policies'>> & { policies?: Iterable<PolicyVersion> };

/** A plain request for gpt-s of a tenant with failover and without a policy. */
export function planInput({ policies = [], ...given }: GivenPlanInput = {}): PlanInput {
  return {
    request: aRequest('gpt-s'),
    tenant: aTenant(),
    keyGroups: [],
    groupStrategy: null,
    apiKey: 'key_1',
    catalog: sampleCatalog(),
    policies: indexPolicies(policies),
    conditions: conditions(),
    draw: 0.5,
    ...given,
  };
}

/** The plan for such a request, which must have one. */
export function planned(given: GivenPlanInput): Plan {
  const result = planRoutes(planInput(given));
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/** The plan under a policy that matches everything. */
export const under = (policy: Omit<RoutingPolicyInput, 'match'>, given: GivenPlanInput = {}): Plan =>
  planned({ policies: [aVersion({ match: ['*'], ...policy })], ...given });
