import { Nested, OptionalField, Text } from '../field-rules';
import { TenantGroupDto, TenantGroups } from './tenant-group-dto';
import { TenantFeaturesDto } from './create-tenant-dto';

export class UpdateTenantDto {
  @OptionalField()
  @Text(200)
  name?: string;

  @OptionalField()
  @Nested(() => TenantFeaturesDto)
  features?: TenantFeaturesDto;

  @TenantGroups()
  groups?: TenantGroupDto[] | null;
}
