import type { ArchiveTerm } from '../archive/archive-term';
import type { TenantId } from '../kernel/ids';
import type { Eligibility } from './eligibility';

/** A customer. `features` and `groups` are the operator's to set. */
export type Tenant = Readonly<{
  id: TenantId;
  name: string;
  features: TenantFeatures;
  eligibility: Eligibility;
  /** The channel groups that it may use, in order of preference; null: every group, and none of them limited. */
  groups: readonly TenantGroup[] | null;
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

export type TenantGroup = Readonly<{
  name: string;
  /** Requests of this tenant that the group takes in a minute; null: any number. */
  rpm: number | null;
}>;

/** Whether the tenant's requests may go to channels of this group at all. */
export function mayUseGroup({ groups }: Pick<Tenant, 'groups'>, group: string): boolean {
  return groups === null || groups.some(({ name }) => name === group);
}
