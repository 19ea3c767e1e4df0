import { ValidateBy } from 'class-validator';
import { requestIdOfCursor } from './audit-cursor';

/** Where a page of requests begins. */
export function RequestCursor(): PropertyDecorator {
  const validate = (value: unknown): boolean =>
    typeof value === 'string' && requestIdOfCursor(value) !== null;
  const message = 'must be the next_cursor of an earlier page';
  return ValidateBy({ name: 'isCursor', validator: { validate, defaultMessage: () => message } });
}
