import { Type } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { OptionalField, WholeNumber } from './field-rules';

/** What a page of a list has where its caller doesn't say how much he wants. */
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** How much of a list a page has at most. */
export function PageLimit(): PropertyDecorator {
  return optional(
    WholeNumber(1, MAX_LIMIT),
    Type(() => Number),
  );
}

/** Where a page of a list begins; `positionOf` reads its cursors, null: this is none. */
export function PageCursor(positionOf: (cursor: string) => unknown): PropertyDecorator {
  const validate = (value: unknown): boolean => typeof value === 'string' && positionOf(value) !== null;
  const message = 'must be the next_cursor of an earlier page';
  return optional(ValidateBy({ name: 'isCursor', validator: { validate, defaultMessage: () => message } }));
}

/** The page that a query asks for. */
export function pageOf<Position>(
  { cursor, limit = DEFAULT_LIMIT }: Readonly<{ cursor?: string; limit?: number }>,
  positionOf: (cursor: string) => Position | null,
): Readonly<{ after: Position | null; limit: number }> {
  return { after: cursor === undefined ? null : positionOf(cursor), limit };
}

function optional(...rules: readonly PropertyDecorator[]): PropertyDecorator {
  return (target, property) => [OptionalField(), ...rules].forEach((rule) => rule(target, property));
}
