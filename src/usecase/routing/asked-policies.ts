import type { GatewayError } from '../../domain/error/gateway-error';
import type { Result } from '../../domain/kernel/result';
import { err, ok } from '../../domain/kernel/result';
import type { Canary } from '../../domain/routing/canary';
import type { PolicyVersion } from '../../domain/routing/policy-version';
import { RoutingPolicy } from '../../domain/routing/routing-policy';
import type { Question } from './explanation';

/** In place of a key: nobody has written the draft. */
const NOBODY = 'draft';
const ALL_PERCENT = 100;

/** The version that the question's draft would become; null: it has none. What is no policy at all explains nothing. */
export function draftOf(
  { tenant, policy: name, draft }: Question,
  current: PolicyVersion | undefined,
  nowMs: number,
): Result<PolicyVersion | null, GatewayError> {
  if (draft === null) return ok(null);
  const policy = RoutingPolicy.create(draft);
  if (!policy.ok) {
    const problems = policy.error.map(({ field, message }) => ({ field: `policy.${field}`, message }));
    return err({ code: 'unprocessable', problems });
  }
  return ok({
    tenant,
    name,
    version: (current?.version ?? 0) + 1,
    policy: policy.value,
    createdAtMs: nowMs,
    createdBy: NOBODY,
    restoredFrom: null,
  });
}

/** The version as one side of its canary's split sees it. */
export function onSide(version: PolicyVersion, side: Question['side']): PolicyVersion {
  const { canary } = version.policy;
  if (canary === null) return version;
  const seen: Canary | null = side === 'canary' ? { ...canary, percent: ALL_PERCENT } : null;
  return { ...version, policy: RoutingPolicy.restore({ ...version.policy.toData(), canary: seen }) };
}
