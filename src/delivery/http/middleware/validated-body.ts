import { plainToInstance } from 'class-transformer';
import type { ValidationError } from 'class-validator';
import { validateSync } from 'class-validator';
import type { InvalidRequest, Problem } from '../../../domain/error/gateway-error';
import { isJsonObject } from '../../../domain/kernel/json';
import type { Result } from '../../../domain/kernel/result';
import { err, ok } from '../../../domain/kernel/result';
import { listed } from '../error/error-message';

export type DtoClass<T extends object> = new () => T;

const UNKNOWN = 'is not a known field';

/** The body as its DTO, or every problem with its path. A field that the DTO doesn't know is a problem too. */
export function validatedBody<T extends object>(dto: DtoClass<T>, body: unknown): Result<T, InvalidRequest> {
  // plainToInstance takes arrays and null too, and answers with an array or an exception.
  if (!isJsonObject(body))
    return err(invalidRequest([{ field: '', message: 'The body must be a JSON object.' }]));
  const inherited = inheritedNames(body, '');
  if (inherited.length > 0) return err(invalidRequest(inherited));
  const instance = plainToInstance(dto, body);
  const errors = validateSync(instance, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
  });
  if (errors.length > 0) return err(invalidRequest(errors.flatMap((error) => problemsOf(error, ''))));
  return ok(instance);
}

/** A 400 that lists all problems and names the first one's field. */
export function invalidRequest(problems: readonly Problem[]): InvalidRequest {
  const param = problems[0]?.field ?? '';
  return {
    code: 'invalid_request_error',
    reason: 'invalid_value',
    param: param === '' ? null : param,
    message: listed(problems),
    problems,
  };
}

/** `__proto__`, `constructor` and the like: plainToInstance drops them without a word, and no DTO has such a field. */
function inheritedNames(value: unknown, parent: string): Problem[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => {
    const field = joined(parent, name);
    return name in Object.prototype ? [{ field, message: UNKNOWN }] : inheritedNames(child, field);
  });
}

function problemsOf(error: ValidationError, parent: string): Problem[] {
  const field = joined(parent, error.property);
  const own = Object.entries(error.constraints ?? {}).map(([rule, text]) => ({
    field,
    message: worded(rule, text, error),
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => problemsOf(child, field))];
}

/** The message without the property's name, which the path already says. */
function worded(rule: string, text: string, { property }: ValidationError): string {
  if (rule === 'whitelistValidation') return UNKNOWN;
  if (text.startsWith(`${property} `)) return text.slice(property.length + 1);
  return text.replace(`each value in ${property} `, 'each value ').replace(`All ${property}'s `, '');
}

function joined(parent: string, property: string): string {
  if (/^\d+$/.test(property)) return `${parent}[${property}]`;
  return parent === '' ? property : `${parent}.${property}`;
}
