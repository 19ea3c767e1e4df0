import { ArrayMinSize } from 'class-validator';
import type { TenantGroup } from '../../../../domain/tenant/tenant';
import { ListOf, NullableField, Slug, WholeNumber } from '../field-rules';

/** Far beyond what one process serves; a larger number is a mistake. */
export const MAX_RPM = 1_000_000;
const MAX_GROUPS = 100;

export class TenantGroupDto {
  @Slug()
  name!: string;

  @NullableField()
  @WholeNumber(1, MAX_RPM)
  rpm?: number | null;
}

/** An empty list would be a tenant that may use nothing, and is more likely meant as null: every group. */
export function TenantGroups(): PropertyDecorator {
  const message = 'must name at least one group; null means every group';
  return (target, property) => {
    NullableField()(target, property);
    ListOf(() => TenantGroupDto, MAX_GROUPS)(target, property);
    ArrayMinSize(1, { message })(target, property);
  };
}

export function tenantGroupsOf(dtos: readonly TenantGroupDto[] | null): readonly TenantGroup[] | null {
  return dtos === null ? null : dtos.map(({ name, rpm }) => ({ name, rpm: rpm ?? null }));
}
