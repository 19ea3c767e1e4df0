import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { instantMs } from './instant';

/** Ids that people choose: they stand in paths, logs and headers, so they are plain. */
export const SLUG = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/;
/** A slug, or one of the ids that we make, which have capitals. */
export const ENTRY_ID = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;
/** Names that providers give to models, e.g. `meta-llama/Llama-3.3-70B-Instruct`. */
export const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}$/;

/** May be left out; null is no value of it. */
export function OptionalField(): PropertyDecorator {
  return ValidateIf((_dto, value) => value !== undefined);
}

/** May be null or left out, which means the same. */
export function NullableField(): PropertyDecorator {
  return IsOptional();
}

export function Slug(): PropertyDecorator {
  const message =
    'must be 1 to 64 of a-z, 0-9, dot, dash and underscore, with a letter or digit at both ends';
  return all(IsString(), Matches(SLUG, { message }));
}

export function EntryId(): PropertyDecorator {
  const message =
    'must be 1 to 64 of letters, digits, dot, dash and underscore, with a letter or digit at both ends';
  return all(IsString(), Matches(ENTRY_ID, { message }));
}

export function ModelNameField(options: Readonly<{ each?: boolean }> = {}): PropertyDecorator {
  const message = 'must be 1 to 200 of letters, digits and . _ : / @ + -, beginning with a letter or digit';
  return all(IsString(options), Matches(MODEL_NAME, { ...options, message }));
}

/** Text for people: not blank, no control characters. */
export function Text(maxLength: number): PropertyDecorator {
  return all(
    IsString(),
    MaxLength(maxLength),
    Matches(/\S/, { message: 'must not be blank' }),
    Matches(/^\P{Cc}*$/u, { message: 'must not have control characters' }),
  );
}

export function WholeNumber(min: number, max: number): PropertyDecorator {
  return all(IsInt(), Min(min), Max(max));
}

export function TextList(maxSize: number, maxLength: number): PropertyDecorator {
  const each = { each: true };
  return all(
    IsArray(),
    ArrayMaxSize(maxSize),
    IsString(each),
    MaxLength(maxLength, each),
    Matches(/\S/, { ...each, message: 'each value must not be blank' }),
  );
}

/** What the OpenAPI document reads to name the schema of a nested object. */
export type NestedContext = Readonly<{ dto: () => Constructor }>;

type Constructor = new () => object;

export function Nested(dto: () => Constructor): PropertyDecorator {
  return all(IsObject(), ValidateNested({ context: { dto } }), Type(dto));
}

/** `ValidateNested` alone lets an array inside the array through unchecked, so the elements' shape is asked for too. */
export function ListOf(dto: () => Constructor, maxSize: number): PropertyDecorator {
  return all(
    IsArray(),
    ArrayMaxSize(maxSize),
    IsObject({ each: true }),
    ValidateNested({ each: true, context: { dto } }),
    Type(dto),
  );
}

export function Instant(): PropertyDecorator {
  const validate = (value: unknown): boolean => typeof value === 'string' && instantMs(value) !== null;
  const message = 'must be an RFC 3339 time such as 2026-12-31T23:59:59Z';
  return ValidateBy({ name: 'isInstant', validator: { validate, defaultMessage: () => message } });
}

function all(...decorators: readonly PropertyDecorator[]): PropertyDecorator {
  return (target, property) => decorators.forEach((decorate) => decorate(target, property));
}
