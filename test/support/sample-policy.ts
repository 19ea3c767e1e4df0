import type { PolicyVersion } from '../../src/domain/routing/policy-version';
import { RoutingPolicy } from '../../src/domain/routing/routing-policy';
import type { RoutingPolicyInput } from '../../src/domain/routing/routing-policy';

/** A policy that must be valid; a test that makes it invalid fails here. */
export function aPolicy(input: RoutingPolicyInput): RoutingPolicy {
  const created = RoutingPolicy.create(input);
  if (!created.ok) throw new Error(JSON.stringify(created.error));
  return created.value;
}

export function aVersion(input: RoutingPolicyInput, given: Partial<PolicyVersion> = {}): PolicyVersion {
  return {
    tenant: 'ten_1',
    name: 'main',
    version: 1,
    policy: aPolicy(input),
    createdAtMs: 0,
    createdBy: 'key_1',
    restoredFrom: null,
    ...given,
  };
}
