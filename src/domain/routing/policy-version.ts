import type { TenantId } from '../kernel/ids';
import type { RoutingPolicy } from './routing-policy';

/** An immutable version of a tenant's named policy. Versions count from 1 and are never changed. */
export type PolicyVersion = Readonly<{
  tenant: TenantId;
  name: string;
  version: number;
  policy: RoutingPolicy;
  createdAtMs: number;
  /** The key that wrote it. */
  createdBy: string;
  /** The version that it restored; null: it was written new. */
  restoredFrom: number | null;
}>;
