import { Type } from 'class-transformer';
import { IsIn, IsString, MaxLength, ValidateBy } from 'class-validator';
import type { InteractionState } from '../../../../domain/interaction/interaction';
import { INTERACTION_STATES } from '../../../../domain/interaction/interaction';
import { OptionalField, WholeNumber } from '../field-rules';
import { instantOrEpochMs } from '../instant';
import { requestIdOfCursor } from './audit-cursor';

function OptionalText(): PropertyDecorator {
  return (target, property) => {
    OptionalField()(target, property);
    IsString()(target, property);
    MaxLength(200)(target, property);
  };
}

function Moment(): PropertyDecorator {
  const validate = (value: unknown): boolean => typeof value === 'string' && instantOrEpochMs(value) !== null;
  const message = 'must be an RFC 3339 time, or milliseconds since the epoch';
  return ValidateBy({ name: 'isMoment', validator: { validate, defaultMessage: () => message } });
}

function Cursor(): PropertyDecorator {
  const validate = (value: unknown): boolean =>
    typeof value === 'string' && requestIdOfCursor(value) !== null;
  const message = 'must be the next_cursor of an earlier page';
  return ValidateBy({ name: 'isCursor', validator: { validate, defaultMessage: () => message } });
}

export class AuditQueryDto {
  @OptionalField()
  @Moment()
  from?: string;

  @OptionalField()
  @Moment()
  to?: string;

  @OptionalText()
  tenant?: string;

  @OptionalField()
  @IsIn(INTERACTION_STATES)
  state?: InteractionState;

  @OptionalText()
  model?: string;

  @OptionalText()
  requested_model?: string;

  @OptionalText()
  provider?: string;

  @OptionalField()
  @IsIn(['true', 'false'])
  fallback?: 'true' | 'false';

  @OptionalText()
  key?: string;

  @OptionalText()
  service?: string;

  @OptionalText()
  feature?: string;

  @OptionalField()
  @WholeNumber(1, 200)
  @Type(() => Number)
  limit?: number;

  @OptionalField()
  @Cursor()
  cursor?: string;
}
