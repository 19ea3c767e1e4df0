import type { ArchiveTerm } from '../archive/archive-term';
import type { TenantId } from '../kernel/ids';
import type { Eligibility } from './eligibility';

/** A customer. `features` are switched by the operator only. */
export type Tenant = Readonly<{
  id: TenantId;
  name: string;
  features: TenantFeatures;
  eligibility: Eligibility;
  createdAtMs: number;
  /** Requests are paid from the tenant's wallet and limited by it. Absent: they are neither. */
  wallet?: boolean;
  /** The latest term of its archive, which may have ended. Absent: there is none, and nothing is kept. */
  archive?: ArchiveTerm;
}>;

export type TenantFeatures = Readonly<{
  /** Off for a new tenant: without it no request ever leaves the provider that was asked for (DESIGN §4). */
  failover: boolean;
}>;
