import { Type } from 'class-transformer';
import { OptionalField, WholeNumber } from '../field-rules';
import { AuditFilterFields } from './audit-filter-fields';
import { RequestCursor } from './request-cursor';

@AuditFilterFields()
export class AuditQueryDto {
  @OptionalField()
  @WholeNumber(1, 200)
  @Type(() => Number)
  limit?: number;

  @OptionalField()
  @RequestCursor()
  cursor?: string;
}
