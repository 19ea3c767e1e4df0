import type { Catalog } from '../../domain/catalog/catalog';
import type { Problem } from '../../domain/error/gateway-error';
import { mayUseGroup, type Tenant, type TenantGroup } from '../../domain/tenant/tenant';

/** A group that no channel is in would silently serve nothing, so it is refused, as what the tenant may not use is. */
export function groupProblems(
  names: readonly string[],
  of: Readonly<{ catalog: Catalog; tenant: Pick<Tenant, 'groups'>; field: (index: number) => string }>,
): readonly Problem[] {
  const known = new Set([...of.catalog.channels.values()].map(({ group }) => group));
  return names.flatMap((name, index) => {
    const field = of.field(index);
    if (names.indexOf(name) < index) return [{ field, message: `names the group '${name}' again` }];
    if (!known.has(name)) return [{ field, message: `no channel is in the group '${name}'` }];
    if (mayUseGroup(of.tenant, name)) return [];
    return [{ field, message: `the tenant may not use the group '${name}'` }];
  });
}

/** The same for what an operator lets a tenant use; null: everything. */
export function tenantGroupProblems(
  groups: readonly TenantGroup[] | null,
  catalog: Catalog,
): readonly Problem[] {
  const names = (groups ?? []).map(({ name }) => name);
  return groupProblems(names, {
    catalog,
    tenant: { groups: null },
    field: (index) => `groups[${index}].name`,
  });
}
