import type { GatewayError, GatewayErrorCode } from '../../../domain/error/gateway-error';
import type { Refusal } from '../../../domain/routing/refusal';

type ErrorOf<C extends GatewayErrorCode> = Extract<GatewayError, { code: C }>;
type MessageTable = { readonly [C in GatewayErrorCode]: (error: ErrorOf<C>) => string };

/** What a person reads. Facts of this request only: no stack, no credential, no other tenant's data. */
const MESSAGES: MessageTable = {
  invalid_request_error: (error) => error.message,
  invalid_api_key: (error) => error.message,
  insufficient_balance: (error) =>
    `The wallet holds ${error.availableMicroUsd} micro-USD; this request may cost up to ${error.requiredMicroUsd}. No provider was called.`,
  forbidden: (error) => error.message,
  not_found: (error) => error.message,
  model_not_found: (error) => `The model '${error.model}' does not exist, or this key may not use it.`,
  conflict: (error) => error.message,
  idempotency_in_progress: () => 'A request with this Idempotency-Key is still running.',
  precondition_failed: (error) => error.message,
  payload_too_large: (error) => `The request body is larger than the limit of ${error.limitBytes} bytes.`,
  unsupported_media_type: (error) => error.message,
  unprocessable: (error) => listed(error.problems),
  idempotency_key_reused: () => 'This Idempotency-Key was used before with another request body.',
  idempotency_answer_unavailable: (error) =>
    `The request with this Idempotency-Key was answered as ${error.requestId}, and that answer ${LOST[error.reason]}. No provider was called again; with a new key it is a new request, billed by itself.`,
  rate_limit_exceeded: (error) =>
    error.keyLimit === undefined
      ? `Every eligible route is rate-limited.${waitHint(error.retryAfterMs)}${refusedHint(error.refusals)}`
      : `This key may make ${error.keyLimit} requests per minute.${waitHint(error.retryAfterMs)}`,
  gateway_error: () =>
    'The gateway failed to handle this request. The fault is ours; quote the request id to support.',
  provider_failed: (error) => error.message,
  provider_malformed: (error) => error.message,
  fallback_cost_ceiling: (error) => ceilingMessage(error.refusals),
  no_eligible_route: (error) =>
    `No route is eligible for this request.${refusedHint(error.refusals)}${waitHint(error.retryAfterMs)}`,
  audit_unavailable: () => 'The audit store can not record this request, so no provider was called.',
  shutting_down: () => 'This gateway process is shutting down and takes no new requests.',
  provider_timeout: (error) => error.message,
  provider_error_returned: (error) => error.error.message,
};

const LOST: Readonly<Record<ErrorOf<'idempotency_answer_unavailable'>['reason'], string>> = {
  too_large: 'was too large to be kept',
  unreadable: "can't be read any more",
};

export function messageOf(error: GatewayError): string {
  // The table is keyed by the code of its argument, which the compiler can't follow through a union.
  const message = MESSAGES[error.code] as (error: GatewayError) => string;
  return message(error);
}

/** Every problem with its path, on one line each, for a client that shows only the message. */
export function listed(problems: readonly Readonly<{ field: string; message: string }>[]): string {
  return problems.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)).join('; ');
}

function waitHint(retryAfterMs: number | null): string {
  return retryAfterMs === null ? '' : ` Try again in ${Math.ceil(Math.max(0, retryAfterMs) / 1_000)} s.`;
}

function refusedHint(refusals: readonly Refusal[]): string {
  if (refusals.length === 0) return '';
  const routes = refusals.map(
    ({ route, detail }) => `${route.model} at ${route.provider} (${detail.reason})`,
  );
  return ` Refused: ${routes.join(', ')}.`;
}

function ceilingMessage(refusals: readonly Refusal[]): string {
  const routes = refusals.flatMap(({ route, detail }) => {
    if (detail.reason === 'cost_unknown')
      return [`${route.model} at ${route.provider} has no comparable price`];
    if (detail.reason !== 'cost_ceiling') return [];
    const times =
      detail.ratio === null
        ? 'costs something where the primary is free'
        : `costs ${rounded(detail.ratio)} × the primary`;
    return [`${route.model} at ${route.provider} ${times} (ceiling ${detail.ceiling} ×)`];
  });
  return `Every possible fallback was refused by the cost ceiling: ${routes.join('; ')}.`;
}

function rounded(ratio: number): number {
  return Math.round(ratio * 100) / 100;
}
