import type { RequestId } from '../kernel/ids';
import type { Refusal } from '../routing/refusal';
import type { ProviderError } from '../resilience/fault';

/**
 * Every error that a caller can meet, keyed by its public code (DESIGN §8). Each carries what its reader needs to act.
 * `delivery/http/error` alone turns it into a status and a body.
 */
export type GatewayError =
  | InvalidRequest
  | Readonly<{ code: 'invalid_api_key'; message: string }>
  | Readonly<{ code: 'forbidden'; message: string }>
  /** The tenant's rules for personal data let the request go nowhere. */
  | Readonly<{ code: 'forbidden'; message: string; refusals: readonly Refusal[] }>
  | Readonly<{ code: 'not_found'; message: string }>
  | Readonly<{ code: 'model_not_found'; model: string }>
  | Readonly<{ code: 'payload_too_large'; limitBytes: number }>
  | Readonly<{ code: 'unsupported_media_type'; message: string }>
  | Readonly<{ code: 'conflict'; message: string; param: string | null }>
  | Readonly<{ code: 'precondition_failed'; message: string; currentVersion: number | null }>
  | Readonly<{ code: 'unprocessable'; problems: readonly Problem[] }>
  | Readonly<{ code: 'insufficient_balance'; requiredMicroUsd: number; availableMicroUsd: number }>
  | Readonly<{ code: 'idempotency_in_progress'; retryAfterMs: number }>
  | Readonly<{ code: 'idempotency_key_reused' }>
  /** `requestId` answered a request with this key, and its answer was too large to keep, or can't be read any more. */
  | Readonly<{
      code: 'idempotency_answer_unavailable';
      requestId: RequestId;
      reason: 'too_large' | 'unreadable';
    }>
  | Readonly<{
      code: 'rate_limit_exceeded';
      retryAfterMs: number | null;
      refusals: readonly Refusal[];
      /** Requests per minute of the caller's key, if that is what is full. Absent: every route asks for patience. */
      keyLimit?: number;
    }>
  | Readonly<{ code: 'no_eligible_route'; retryAfterMs: number | null; refusals: readonly Refusal[] }>
  | Readonly<{ code: 'fallback_cost_ceiling'; refusals: readonly Refusal[] }>
  | Readonly<{
      code: 'provider_failed';
      message: string;
      retryAfterMs: number | null;
      refusals: readonly Refusal[];
    }>
  | Readonly<{ code: 'provider_timeout'; message: string; refusals: readonly Refusal[] }>
  | Readonly<{ code: 'provider_malformed'; message: string; refusals: readonly Refusal[] }>
  /** The provider's own refusal of the request, returned as it is (FAILURES §5, rows 1 and 8). */
  | Readonly<{ code: 'provider_error_returned'; status: number; error: ProviderError }>
  | Readonly<{ code: 'audit_unavailable' }>
  | Readonly<{ code: 'shutting_down' }>
  | Readonly<{ code: 'gateway_error' }>;

export type GatewayErrorCode = GatewayError['code'];

/** The request is wrong on every route: 400, naming the field. */
export type InvalidRequest = Readonly<{
  code: 'invalid_request_error';
  /** `unsupported_parameter`, `unsupported_value`: no eligible route can do it. `invalid_value`: it is wrong anywhere. */
  reason: 'invalid_value' | 'unsupported_parameter' | 'unsupported_value' | 'context_length_exceeded';
  param: string | null;
  message: string;
  /** Where more than one field of a document is wrong: all of them. */
  problems?: readonly Problem[];
}>;

/** One thing wrong with a document that an admin wrote. `field` is a path such as `fallbacks[0].model`. */
export type Problem = Readonly<{ field: string; message: string }>;
