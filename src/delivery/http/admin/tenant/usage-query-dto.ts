import { IsIn } from 'class-validator';
import { USAGE_GROUPINGS, type UsageGrouping } from '../../../../usecase/port/usage-reports';
import { Moment } from '../moment';
import { OptionalField } from '../field-rules';

export class UsageQueryDto {
  @Moment()
  from!: string;

  @OptionalField()
  @Moment()
  to?: string;

  @OptionalField()
  @IsIn(USAGE_GROUPINGS)
  group_by?: UsageGrouping;
}
