import type { GatewayError, GatewayErrorCode } from '../../../domain/error/gateway-error';

/** The `type` of an error body, as OpenAI and Anthropic name their families of errors. */
export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'not_found_error'
  | 'insufficient_quota'
  | 'rate_limit_error'
  | 'server_error';

/** `as_returned`: status and type are the provider's own. */
type StatusRow = Readonly<{ status: number; type: ErrorType }> | 'as_returned';

/** DESIGN §8. SDKs pick their error class by status; `type` is for the people and tools that read the body. */
export const ERROR_STATUS: Readonly<Record<GatewayErrorCode, StatusRow>> = {
  invalid_request_error: { status: 400, type: 'invalid_request_error' },
  invalid_api_key: { status: 401, type: 'authentication_error' },
  insufficient_balance: { status: 402, type: 'insufficient_quota' },
  forbidden: { status: 403, type: 'permission_error' },
  not_found: { status: 404, type: 'not_found_error' },
  // OpenAI answers an unknown model with this type, and clients compare it.
  model_not_found: { status: 404, type: 'invalid_request_error' },
  conflict: { status: 409, type: 'invalid_request_error' },
  idempotency_in_progress: { status: 409, type: 'invalid_request_error' },
  idempotency_answer_unavailable: { status: 409, type: 'invalid_request_error' },
  precondition_failed: { status: 412, type: 'invalid_request_error' },
  payload_too_large: { status: 413, type: 'invalid_request_error' },
  unsupported_media_type: { status: 415, type: 'invalid_request_error' },
  unprocessable: { status: 422, type: 'invalid_request_error' },
  idempotency_key_reused: { status: 422, type: 'invalid_request_error' },
  rate_limit_exceeded: { status: 429, type: 'rate_limit_error' },
  gateway_error: { status: 500, type: 'server_error' },
  provider_failed: { status: 502, type: 'server_error' },
  provider_malformed: { status: 502, type: 'server_error' },
  fallback_cost_ceiling: { status: 502, type: 'server_error' },
  no_eligible_route: { status: 503, type: 'server_error' },
  audit_unavailable: { status: 503, type: 'server_error' },
  shutting_down: { status: 503, type: 'server_error' },
  provider_timeout: { status: 504, type: 'server_error' },
  provider_error_returned: 'as_returned',
};

const BAD_GATEWAY = 502;

/** A provider's error keeps its status only where that status is an error at all. */
export function statusOf(error: GatewayError): number {
  const row = ERROR_STATUS[error.code];
  if (row !== 'as_returned') return row.status;
  const status = error.code === 'provider_error_returned' ? error.status : BAD_GATEWAY;
  return status >= 400 && status <= 599 ? status : BAD_GATEWAY;
}

export function typeOf(error: GatewayError): string {
  if (error.code === 'provider_error_returned') {
    return error.error.type ?? (statusOf(error) >= 500 ? 'server_error' : 'invalid_request_error');
  }
  const row = ERROR_STATUS[error.code];
  return row === 'as_returned' ? 'server_error' : row.type;
}
