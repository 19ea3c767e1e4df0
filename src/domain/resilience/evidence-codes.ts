import { isJsonObject } from '../kernel/json';
import type { JsonObject, JsonValue } from '../kernel/json';

/**
 * Codes that providers hide deeper in an error than `code` and `type`. They are more specific, so they go first.
 * The last three are our names for facts that a provider states by structure instead of by a code.
 */
export function evidenceCodes(error: JsonObject): readonly string[] {
  const { details, innererror, metadata } = error;
  return [
    ...(isJsonObject(details) ? textIn(details.error_code) : []), // Anthropic
    ...(isJsonObject(innererror) ? textIn(innererror.code) : []), // Azure
    ...(isJsonObject(metadata) ? [...textIn(metadata.error_type), ...textIn(metadata.limit_source)] : []), // OpenRouter
    ...googleDetails(details).flatMap((detail) => textIn(detail.reason)), // Gemini: ErrorInfo
    ...(hasReasons(metadata) ? ['moderation_reasons'] : []), // OpenRouter
    ...violations(details).flatMap(spentQuota), // Gemini: QuotaFailure
  ];
}

/** The entries of a Google error's `details`; none for any other error. */
export function googleDetails(details: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(details) ? (details as readonly JsonValue[]).filter(isJsonObject) : [];
}

function hasReasons(metadata: JsonValue | undefined): boolean {
  return isJsonObject(metadata) && Array.isArray(metadata.reasons) && metadata.reasons.length > 0;
}

function violations(details: JsonValue | undefined): readonly JsonObject[] {
  return googleDetails(details).flatMap((detail) => googleDetails(detail.violations));
}

/** Neither a limit of zero nor a daily quota comes back within any deadline: it is our account's, not the moment's. */
function spentQuota(violation: JsonObject): readonly string[] {
  if (violation.quotaValue === '0' || violation.quotaValue === 0) return ['quota_limit_zero'];
  return typeof violation.quotaId === 'string' && violation.quotaId.includes('PerDay')
    ? ['quota_per_day']
    : [];
}

function textIn(value: JsonValue | undefined): readonly string[] {
  return typeof value === 'string' && value !== '' ? [value] : [];
}
