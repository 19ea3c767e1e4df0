import { ArrayMinSize, ArrayUnique, IsArray, IsIn } from 'class-validator';
import type { Scope } from '../../../../domain/tenant/api-key';
import { SCOPES } from '../../../../domain/tenant/api-key';
import { Instant, NullableField, OptionalField, Text, TextList } from '../field-rules';

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
  @Instant()
  expires_at?: string | null;
}
