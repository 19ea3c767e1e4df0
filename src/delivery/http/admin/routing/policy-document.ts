import type {
  RetrySettings,
  SettingsInput,
  TimeoutSettings,
} from '../../../../domain/routing/policy-settings';
import type { CanaryInput, RoutingPolicyInput } from '../../../../domain/routing/routing-policy';
import type { CanaryDto, PolicyDto, RetryDto, TimeoutsDto } from './policy-dto';

/** A policy as it was written; what it leaves out stays out, so that the domain's defaults hold. */
export function policyInputOf(dto: PolicyDto): RoutingPolicyInput {
  return {
    match: dto.match,
    primary: dto.primary ?? null,
    fallbacks: dto.fallbacks,
    strategy: dto.strategy,
    canary: dto.canary == null ? null : canaryOf(dto.canary),
    settings: settingsOf(dto),
  };
}

function canaryOf({ target, percent, sticky_by, rollback_on }: CanaryDto): CanaryInput {
  return {
    target,
    percent,
    stickyBy: sticky_by,
    rollbackOn: { errorRate: rollback_on?.error_rate, minRequests: rollback_on?.min_requests },
  };
}

function settingsOf(dto: PolicyDto): SettingsInput {
  return {
    maxFallbackCostMultiplier: dto.max_fallback_cost_multiplier,
    failoverOn: dto.failover_on,
    maxHops: dto.max_hops,
    commitOn: dto.commit_on,
    unsupportedParams: dto.unsupported_params,
    minAttemptMs: dto.min_attempt_ms,
    responseModel: dto.response_model,
    retry: retryOf(dto.retry ?? {}),
    timeouts: timeoutsOf(dto.timeouts ?? {}),
  };
}

function retryOf(dto: RetryDto): Partial<RetrySettings> {
  return {
    maxRetries: dto.max_retries,
    maxRetriesBeforeFallback: dto.max_retries_before_fallback,
    baseDelayMs: dto.base_delay_ms,
    maxDelayMs: dto.max_delay_ms,
    jitter: dto.jitter,
  };
}

function timeoutsOf(dto: TimeoutsDto): Partial<TimeoutSettings> {
  return {
    headersMs: dto.headers_ms,
    streamHeadersMs: dto.stream_headers_ms,
    streamGateMs: dto.stream_gate_ms,
    idleMs: dto.idle_ms,
    deadlineMs: dto.deadline_ms,
    ttftFailoverMs: dto.ttft_failover_ms,
  };
}
