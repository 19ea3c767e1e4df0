import { IsBoolean } from 'class-validator';
import { Nested, NullableField, OptionalField, Slug, Text, WholeNumber } from '../field-rules';

export class DataPolicyDto {
  @NullableField()
  @WholeNumber(0, 36_500)
  retention_days?: number | null;

  @NullableField()
  @IsBoolean()
  trains_on_data?: boolean | null;
}

/** `id` may be left out where the path has it. */
export class ProviderDto {
  @OptionalField()
  @Slug()
  id?: string;

  @Text(200)
  name!: string;

  @OptionalField()
  @Nested(() => DataPolicyDto)
  data_policy?: DataPolicyDto;
}
