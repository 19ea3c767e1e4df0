import { IsBoolean } from 'class-validator';
import { Nested, NullableField, OptionalField, Slug, Text } from '../field-rules';
import { TenantGroupDto, TenantGroups } from './tenant-group-dto';

export class TenantFeaturesDto {
  @OptionalField()
  @IsBoolean()
  failover?: boolean;
}

export class CreateTenantDto {
  @NullableField()
  @Slug()
  id?: string | null;

  @Text(200)
  name!: string;

  @OptionalField()
  @Nested(() => TenantFeaturesDto)
  features?: TenantFeaturesDto;

  @TenantGroups()
  groups?: TenantGroupDto[] | null;
}
