import { IsBoolean, IsIn, IsObject, ValidateBy } from 'class-validator';
import type { SupposedHealth } from '../../../../domain/health/supposed-health';
import { MAX_THROTTLE_MS } from '../../../../domain/health/throttle';
import { isJsonObject, type JsonObject } from '../../../../domain/kernel/json';
import { STRATEGY_NAMES, type StrategyName } from '../../../../domain/routing/strategy-name';
import { Nested, NullableField, OptionalField, TextList, WholeNumber } from '../field-rules';
import { PolicyDto } from './policy-dto';

/** `down` and `open` are the same: what people say of a provider, and what it means for its routes. */
const HEALTH_KINDS = {
  down: 'open',
  open: 'open',
  throttled: 'throttled',
  healthy: 'healthy',
} as const satisfies Record<string, SupposedHealth['kind']>;
export type HealthWord = keyof typeof HEALTH_KINDS;

export function healthKindOf(word: HealthWord): SupposedHealth['kind'] {
  return HEALTH_KINDS[word];
}

const MAX_NAMES = 1_000;
const HEALTH_FAULT = `must be an object of at most ${MAX_NAMES} ids with one of ${Object.keys(HEALTH_KINDS).join(', ')}`;

function isHealthRecord(value: unknown): boolean {
  if (!isJsonObject(value) || Object.keys(value).length > MAX_NAMES) return false;
  return Object.values(value).every((word) => typeof word === 'string' && Object.hasOwn(HEALTH_KINDS, word));
}

function HealthRecord(): PropertyDecorator {
  return (target, property) => {
    OptionalField()(target, property);
    const validator = { validate: isHealthRecord, defaultMessage: () => HEALTH_FAULT };
    ValidateBy({ name: 'isHealthRecord', validator })(target, property);
  };
}

export class SupposedHealthDto {
  @HealthRecord()
  providers?: Record<string, HealthWord>;

  @HealthRecord()
  channels?: Record<string, HealthWord>;

  @HealthRecord()
  offerings?: Record<string, HealthWord>;

  @OptionalField()
  @WholeNumber(1, MAX_THROTTLE_MS)
  throttled_for_ms?: number;
}

/** A sample request, and what is to be supposed beyond what holds now. */
export class ExplainDto {
  @IsObject()
  request!: JsonObject;

  @OptionalField()
  @TextList(100, 64)
  key_groups?: string[];

  @NullableField()
  @IsIn(STRATEGY_NAMES)
  group_strategy?: StrategyName | null;

  @OptionalField()
  @Nested(() => SupposedHealthDto)
  health?: SupposedHealthDto;

  @NullableField()
  @Nested(() => PolicyDto)
  policy?: PolicyDto | null;

  @OptionalField()
  @IsBoolean()
  canary?: boolean;
}
