import { Type } from 'class-transformer';
import { IsIn, IsString, MaxLength, ValidateBy } from 'class-validator';
import {
  CHANGE_ACTIONS,
  CHANGED_OBJECTS,
  type ChangeAction,
  type ChangedObject,
} from '../../../../domain/audit/admin-change';
import { OptionalField, WholeNumber } from '../field-rules';
import { Moment } from '../moment';
import { changeIdOfCursor } from './audit-cursor';

function ChangeCursor(): PropertyDecorator {
  const validate = (value: unknown): boolean => typeof value === 'string' && changeIdOfCursor(value) !== null;
  const message = 'must be the next_cursor of an earlier page';
  return ValidateBy({ name: 'isCursor', validator: { validate, defaultMessage: () => message } });
}

export class ChangeQueryDto {
  @OptionalField()
  @Moment()
  from?: string;

  @OptionalField()
  @Moment()
  to?: string;

  @OptionalField()
  @IsString()
  @MaxLength(200)
  tenant?: string;

  @OptionalField()
  @IsString()
  @MaxLength(200)
  by?: string;

  @OptionalField()
  @IsIn(CHANGED_OBJECTS)
  object_kind?: ChangedObject;

  @OptionalField()
  @IsString()
  @MaxLength(300)
  object_id?: string;

  @OptionalField()
  @IsIn(CHANGE_ACTIONS)
  action?: ChangeAction;

  @OptionalField()
  @WholeNumber(1, 200)
  @Type(() => Number)
  limit?: number;

  @OptionalField()
  @ChangeCursor()
  cursor?: string;
}
