import type { ArchiveTerm } from '../../domain/archive/archive-term';
import type { Tenant, TenantFeatures, TenantGroup } from '../../domain/tenant/tenant';
import type { Eligibility } from '../../domain/tenant/eligibility';
import { fromFlag, toFlag, type FlagColumn } from './flag-column';
import { fromJson, toJson } from './json-column';

export type TenantRow = Readonly<{
  id: string;
  name: string;
  features: string;
  eligibility: string;
  groups: string | null;
  created_at: number;
  wallet: FlagColumn;
  archive: string | null;
}>;

export function tenantRowOf(tenant: Tenant): TenantRow {
  return {
    id: tenant.id,
    name: tenant.name,
    features: toJson(tenant.features),
    eligibility: toJson(tenant.eligibility),
    groups: tenant.groups === null ? null : toJson(tenant.groups),
    created_at: tenant.createdAtMs,
    wallet: toFlag(tenant.wallet ?? false),
    archive: tenant.archive === undefined ? null : toJson(tenant.archive),
  };
}

export function tenantOf(row: TenantRow): Tenant {
  return {
    id: row.id,
    name: row.name,
    features: fromJson<TenantFeatures>(row.features),
    eligibility: fromJson<Eligibility>(row.eligibility),
    groups: row.groups === null ? null : fromJson<TenantGroup[]>(row.groups),
    createdAtMs: row.created_at,
    wallet: fromFlag(row.wallet),
    ...(row.archive === null ? {} : { archive: fromJson<ArchiveTerm>(row.archive) }),
  };
}
