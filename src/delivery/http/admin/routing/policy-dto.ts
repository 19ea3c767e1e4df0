import { ArrayMaxSize, IsArray, IsIn, IsNumber } from 'class-validator';
import type { StickyBy } from '../../../../domain/routing/canary';
import { STICKY_BY } from '../../../../domain/routing/canary';
import type { FailoverCause, PolicySettings } from '../../../../domain/routing/policy-settings';
import { FAILOVER_CAUSES } from '../../../../domain/routing/policy-settings';
import type { StrategyName } from '../../../../domain/routing/strategy-name';
import { STRATEGY_NAMES } from '../../../../domain/routing/strategy-name';
import { ListOf, ModelNameField, Nested, NullableField, OptionalField, Slug, TextList } from '../field-rules';

/** A number may be left out; which numbers make sense together is the domain's to say. */
function OptionalNumber(): PropertyDecorator {
  return (target, property) => {
    OptionalField()(target, property);
    IsNumber()(target, property);
  };
}

export class TargetDto {
  @Slug()
  provider!: string;

  @ModelNameField()
  model!: string;
}

export class RetryDto {
  @OptionalNumber()
  max_retries?: number;

  @OptionalNumber()
  max_retries_before_fallback?: number;

  @OptionalNumber()
  base_delay_ms?: number;

  @OptionalNumber()
  max_delay_ms?: number;

  @OptionalNumber()
  jitter?: number;
}

export class TimeoutsDto {
  @OptionalNumber()
  headers_ms?: number;

  @OptionalNumber()
  stream_headers_ms?: number;

  @OptionalNumber()
  stream_gate_ms?: number;

  @OptionalNumber()
  idle_ms?: number;

  @OptionalNumber()
  deadline_ms?: number;

  @NullableField()
  @IsNumber()
  ttft_failover_ms?: number | null;
}

export class RollbackDto {
  @OptionalNumber()
  error_rate?: number;

  @OptionalNumber()
  min_requests?: number;
}

export class CanaryDto {
  @Nested(() => TargetDto)
  target!: TargetDto;

  @IsNumber()
  percent!: number;

  @OptionalField()
  @IsIn(STICKY_BY)
  sticky_by?: StickyBy;

  @OptionalField()
  @Nested(() => RollbackDto)
  rollback_on?: RollbackDto;
}

/** The document of DESIGN §4. */
export class PolicyDto {
  @TextList(100, 200)
  match!: string[];

  @NullableField()
  @Nested(() => TargetDto)
  primary?: TargetDto | null;

  @OptionalField()
  @ListOf(() => TargetDto, 100)
  fallbacks?: TargetDto[];

  @OptionalField()
  @IsIn(STRATEGY_NAMES)
  strategy?: StrategyName;

  @OptionalNumber()
  max_fallback_cost_multiplier?: number;

  @OptionalField()
  @IsArray()
  @ArrayMaxSize(20)
  @IsIn(FAILOVER_CAUSES, { each: true })
  failover_on?: FailoverCause[];

  @OptionalField()
  @Nested(() => RetryDto)
  retry?: RetryDto;

  @OptionalNumber()
  max_hops?: number;

  @OptionalField()
  @Nested(() => TimeoutsDto)
  timeouts?: TimeoutsDto;

  @OptionalField()
  @IsIn(['first_output', 'complete'])
  commit_on?: PolicySettings['commitOn'];

  @OptionalField()
  @IsIn(['ignore', 'reject'])
  unsupported_params?: PolicySettings['unsupportedParams'];

  @OptionalNumber()
  min_attempt_ms?: number;

  @NullableField()
  @Nested(() => CanaryDto)
  canary?: CanaryDto | null;

  @OptionalField()
  @IsIn(['annotated', 'served'])
  response_model?: PolicySettings['responseModel'];
}
