import { ValidateBy } from 'class-validator';
import { instantOrEpochMs } from './instant';

/** A time in a query. */
export function Moment(): PropertyDecorator {
  const validate = (value: unknown): boolean => typeof value === 'string' && instantOrEpochMs(value) !== null;
  const message = 'must be an RFC 3339 time, or milliseconds since the epoch';
  return ValidateBy({ name: 'isMoment', validator: { validate, defaultMessage: () => message } });
}

export function momentOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : (instantOrEpochMs(text) ?? undefined);
}
