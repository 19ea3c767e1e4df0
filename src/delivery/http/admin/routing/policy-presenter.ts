import type { Problem } from '../../../../domain/error/gateway-error';
import type { JsonObject } from '../../../../domain/kernel/json';
import type { Canary } from '../../../../domain/routing/canary';
import type { PolicySettings } from '../../../../domain/routing/policy-settings';
import type { PolicyVersion } from '../../../../domain/routing/policy-version';
import type { RoutingPolicyData } from '../../../../domain/routing/policy-data';
import type { Target } from '../../../../domain/routing/target';
import { rfc3339 } from '../instant';

/** A version with its whole document, defaults filled in; the document can be written back as it is. */
export function presentPolicy(version: PolicyVersion): JsonObject {
  return {
    name: version.name,
    version: version.version,
    policy: presentDocument(version.policy.toData()),
    created_at: rfc3339(version.createdAtMs),
    created_by: version.createdBy,
    restored_from: version.restoredFrom,
  };
}

/** What was written, and what in it can't work today but could become right later. */
export function presentWrittenPolicy(version: PolicyVersion, warnings: readonly Problem[]): JsonObject {
  return { ...presentPolicy(version), warnings: warnings.map(({ field, message }) => ({ field, message })) };
}

/** The version as a strong entity tag, to be sent back as `If-Match`. */
export function entityTag({ version }: PolicyVersion): Record<string, string> {
  return { etag: `"${version}"` };
}

function presentDocument(data: RoutingPolicyData): JsonObject {
  const { match, primary, fallbacks, strategy, canary, settings } = data;
  return {
    match,
    primary: primary === null ? null : presentTarget(primary),
    fallbacks: fallbacks.map(presentTarget),
    strategy,
    canary: canary === null ? null : presentCanary(canary),
    ...presentSettings(settings),
  };
}

function presentTarget({ provider, model }: Target): JsonObject {
  return { provider, model };
}

function presentCanary({ target, percent, stickyBy, rollbackOn }: Canary): JsonObject {
  return {
    target: presentTarget(target),
    percent,
    sticky_by: stickyBy,
    rollback_on: { error_rate: rollbackOn.errorRate, min_requests: rollbackOn.minRequests },
  };
}

function presentSettings(settings: PolicySettings): JsonObject {
  const { retry, timeouts } = settings;
  return {
    max_fallback_cost_multiplier: settings.maxFallbackCostMultiplier,
    failover_on: settings.failoverOn,
    retry: {
      max_retries: retry.maxRetries,
      max_retries_before_fallback: retry.maxRetriesBeforeFallback,
      base_delay_ms: retry.baseDelayMs,
      max_delay_ms: retry.maxDelayMs,
      jitter: retry.jitter,
    },
    max_hops: settings.maxHops,
    timeouts: {
      headers_ms: timeouts.headersMs,
      stream_headers_ms: timeouts.streamHeadersMs,
      stream_gate_ms: timeouts.streamGateMs,
      idle_ms: timeouts.idleMs,
      deadline_ms: timeouts.deadlineMs,
      ttft_failover_ms: timeouts.ttftFailoverMs,
    },
    commit_on: settings.commitOn,
    unsupported_params: settings.unsupportedParams,
    min_attempt_ms: settings.minAttemptMs,
    response_model: settings.responseModel,
  };
}
