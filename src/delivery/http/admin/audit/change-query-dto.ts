import { IsIn, IsString, MaxLength } from 'class-validator';
import {
  CHANGE_ACTIONS,
  CHANGED_OBJECTS,
  type ChangeAction,
  type ChangedObject,
} from '../../../../domain/audit/admin-change';
import { OptionalField } from '../field-rules';
import { Moment } from '../moment';
import { PageCursor, PageLimit } from '../page-fields';
import { changeIdOfCursor } from './change-cursor';

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

  @PageLimit()
  limit?: number;

  @PageCursor(changeIdOfCursor)
  cursor?: string;
}
