import { IsBoolean, ValidateBy } from 'class-validator';
import { isJsonObject } from '../../../../domain/kernel/json';
import { PII_CLASSES } from '../../../../domain/pii/pii-class';
import type { PiiClass } from '../../../../domain/pii/pii-class';
import { PII_ACTIONS } from '../../../../domain/pii/pii-rule';
import type { PiiAction } from '../../../../domain/pii/pii-rule';
import { ListOf, Nested, NullableField, OptionalField, Slug } from '../field-rules';

/** What is wrong with a value that should say what becomes of which class; null: nothing. */
function faultOf(value: unknown): string | null {
  if (!isJsonObject(value)) return 'must be an object of classes and actions';
  const classes: readonly string[] = PII_CLASSES;
  const actions: readonly unknown[] = PII_ACTIONS;
  const unknown = Object.keys(value).find((name) => !classes.includes(name));
  if (unknown !== undefined) return `knows no class '${unknown}': use ${PII_CLASSES.join(', ')}`;
  const wrong = Object.entries(value).find(([, action]) => !actions.includes(action));
  return wrong === undefined ? null : `must say of '${wrong[0]}' one of ${PII_ACTIONS.join(', ')}`;
}

function PiiClasses(): PropertyDecorator {
  const validate = (value: unknown): boolean => faultOf(value) === null;
  const defaultMessage = (given?: { value: unknown }): string => faultOf(given?.value) ?? '';
  return ValidateBy({ name: 'isPiiClasses', validator: { validate, defaultMessage } });
}

export class PiiRuleDto {
  @OptionalField()
  @PiiClasses()
  classes?: Partial<Record<PiiClass, PiiAction>>;

  @NullableField()
  @IsBoolean()
  restore?: boolean | null;
}

export class PiiProviderRuleDto {
  @Slug()
  provider!: string;

  @OptionalField()
  @PiiClasses()
  classes?: Partial<Record<PiiClass, PiiAction>>;

  @NullableField()
  @IsBoolean()
  restore?: boolean | null;
}

export class PiiRulesDto {
  @OptionalField()
  @Nested(() => PiiRuleDto)
  default?: PiiRuleDto;

  @OptionalField()
  @ListOf(() => PiiProviderRuleDto, 500)
  providers?: PiiProviderRuleDto[];
}
