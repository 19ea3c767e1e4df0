import type { PolicyVersion } from '../../domain/routing/policy-version';
import { RoutingPolicy } from '../../domain/routing/routing-policy';
import { fromJson, toJson } from './json-column';

/** A version, written once and never changed. */
export type PolicyVersionRow = Readonly<{
  tenant: string;
  name: string;
  version: number;
  policy: string;
  created_at: number;
  created_by: string;
  restored_from: number | null;
}>;

/** Which version answers now. A removed policy has no row here. */
export type CurrentPolicyRow = Readonly<{ tenant: string; name: string; version: number }>;

export function policyVersionRowOf(version: PolicyVersion): PolicyVersionRow {
  return {
    tenant: version.tenant,
    name: version.name,
    version: version.version,
    policy: toJson(version.policy.toData()),
    created_at: version.createdAtMs,
    created_by: version.createdBy,
    restored_from: version.restoredFrom,
  };
}

export function policyVersionOf(row: PolicyVersionRow): PolicyVersion {
  return {
    tenant: row.tenant,
    name: row.name,
    version: row.version,
    policy: RoutingPolicy.restore(fromJson<Parameters<typeof RoutingPolicy.restore>[0]>(row.policy)),
    createdAtMs: row.created_at,
    createdBy: row.created_by,
    restoredFrom: row.restored_from,
  };
}
