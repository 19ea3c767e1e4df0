import { Type } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { OptionalField, WholeNumber } from '../field-rules';
import { entryOfCursor } from './entry-cursor';

function Cursor(): PropertyDecorator {
  const validate = (value: unknown): boolean => typeof value === 'string' && entryOfCursor(value) !== null;
  const message = 'must be the next_cursor of an earlier page';
  return ValidateBy({ name: 'isCursor', validator: { validate, defaultMessage: () => message } });
}

export class EntryQueryDto {
  @OptionalField()
  @WholeNumber(1, 200)
  @Type(() => Number)
  limit?: number;

  @OptionalField()
  @Cursor()
  cursor?: string;
}
