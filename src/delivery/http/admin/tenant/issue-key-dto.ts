import { ArrayMinSize, ArrayUnique, IsArray, IsIn } from 'class-validator';
import type { Scope } from '../../../../domain/tenant/api-key';
import { SCOPES } from '../../../../domain/tenant/api-key';
import { STRATEGY_NAMES, type StrategyName } from '../../../../domain/routing/strategy-name';
import { Instant, NullableField, OptionalField, Text, TextList, WholeNumber } from '../field-rules';
import { MAX_RPM } from './tenant-group-dto';

export class IssueKeyDto {
  @Text(200)
  name!: string;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(SCOPES, { each: true })
  scopes!: Scope[];

  @OptionalField()
  @TextList(20, 64)
  groups?: string[];

  @NullableField()
  @IsIn(STRATEGY_NAMES)
  group_strategy?: StrategyName | null;

  @NullableField()
  @WholeNumber(1, MAX_RPM)
  rpm?: number | null;

  @NullableField()
  @Instant()
  expires_at?: string | null;
}
