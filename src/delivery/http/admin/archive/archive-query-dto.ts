import { Type } from 'class-transformer';
import { RequestCursor } from '../audit/request-cursor';
import { OptionalField, WholeNumber } from '../field-rules';

export class ArchiveQueryDto {
  @OptionalField()
  @WholeNumber(1, 200)
  @Type(() => Number)
  limit?: number;

  @OptionalField()
  @RequestCursor()
  cursor?: string;
}
