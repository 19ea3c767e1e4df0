import type { GatewayError, GatewayErrorCode } from '../../../domain/error/gateway-error';

/** Whether an SDK should send the request again; `unsaid`: by the status, as it would without us. */
type Advice = 'yes' | 'no' | 'unsaid';

/**
 * Advice that doesn't depend on what happened. A provider was called for every `provider_…` error, so a client that
 * repeats it multiplies attempts that we have already made (DESIGN §6, no amplification).
 */
const ADVICE: Readonly<Record<GatewayErrorCode, Advice>> = {
  invalid_request_error: 'unsaid',
  invalid_api_key: 'unsaid',
  insufficient_balance: 'unsaid',
  forbidden: 'unsaid',
  not_found: 'unsaid',
  model_not_found: 'unsaid',
  conflict: 'unsaid',
  idempotency_in_progress: 'yes',
  precondition_failed: 'unsaid',
  payload_too_large: 'unsaid',
  unsupported_media_type: 'unsaid',
  unprocessable: 'unsaid',
  idempotency_key_reused: 'unsaid',
  // SDKs repeat a 409 by themselves, and this one stays as it is.
  idempotency_answer_unavailable: 'no',
  rate_limit_exceeded: 'unsaid',
  gateway_error: 'unsaid',
  provider_failed: 'no',
  provider_malformed: 'no',
  fallback_cost_ceiling: 'no',
  no_eligible_route: 'unsaid',
  audit_unavailable: 'unsaid',
  shutting_down: 'unsaid',
  provider_timeout: 'no',
  provider_error_returned: 'no',
};

/** HEADERS §5: an OpenAI client ignores a longer wait and comes back at once, an Anthropic client hangs. */
const LONGEST_WAIT_OF_CLIENTS_MS = 60_000;

/** Our own 503s name a wait: long enough for a group commit or another replica, short enough not to be felt. */
const OWN_OUTAGE_WAIT_MS = 1_000;

/** `retry-after`, `retry-after-ms` and `x-should-retry` of an error, as far as they apply. */
export function retryHeaders(error: GatewayError, attempts: number): Record<string, string> {
  const waitMs = waitOf(error);
  const advice = adviceOf(error, attempts, waitMs);
  return {
    ...(waitMs === null
      ? {}
      : { 'retry-after': String(Math.ceil(waitMs / 1_000)), 'retry-after-ms': String(waitMs) }),
    ...(advice === 'unsaid' ? {} : { 'x-should-retry': advice === 'yes' ? 'true' : 'false' }),
  };
}

function adviceOf(error: GatewayError, attempts: number, waitMs: number | null): Advice {
  if (waitMs !== null && waitMs > LONGEST_WAIT_OF_CLIENTS_MS) return 'no';
  return attempts > 0 ? 'no' : ADVICE[error.code];
}

function waitOf(error: GatewayError): number | null {
  if (error.code === 'audit_unavailable' || error.code === 'shutting_down') return OWN_OUTAGE_WAIT_MS;
  if (!('retryAfterMs' in error) || error.retryAfterMs === null) return null;
  return Math.max(0, Math.ceil(error.retryAfterMs));
}
