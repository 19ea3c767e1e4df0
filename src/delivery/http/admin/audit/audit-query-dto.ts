import { Type } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { OptionalField, WholeNumber } from '../field-rules';
import { requestIdOfCursor } from './audit-cursor';
import { AuditFilterFields } from './audit-filter-fields';

function Cursor(): PropertyDecorator {
  const validate = (value: unknown): boolean =>
    typeof value === 'string' && requestIdOfCursor(value) !== null;
  const message = 'must be the next_cursor of an earlier page';
  return ValidateBy({ name: 'isCursor', validator: { validate, defaultMessage: () => message } });
}

@AuditFilterFields()
export class AuditQueryDto {
  @OptionalField()
  @WholeNumber(1, 200)
  @Type(() => Number)
  limit?: number;

  @OptionalField()
  @Cursor()
  cursor?: string;
}
