import type { GatewayError } from '../../../domain/error/gateway-error';
import type { Ledger } from '../../../domain/interaction/ledger';
import type { JsonObject } from '../../../domain/kernel/json';
import { presentAttempt } from './attempt-presenter';
import { messageOf } from './error-message';
import { statusOf, typeOf } from './error-status';
import { presentRefusal } from './refusal-presenter';
import { retryHeaders } from './retry-advice';

export type PresentedError = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  body: JsonObject;
}>;

export type ErrorContext = Readonly<{
  requestId: string;
  /** The attempts that preceded the error; absent: none were made. */
  attempts?: Ledger;
}>;

/** The error in OpenAI's shape, with what its reader needs to act under `schneeai`. */
export function presentError(error: GatewayError, context: ErrorContext): PresentedError {
  const attempts = context.attempts ?? [];
  const extension = { ...attemptsOf(attempts), ...factsOf(error) };
  return {
    status: statusOf(error),
    headers: { ...challengeOf(error), ...retryHeaders(error, attempts.length) },
    body: {
      error: errorOf(error),
      request_id: context.requestId,
      ...(Object.keys(extension).length === 0 ? {} : { schneeai: extension }),
    },
  };
}

/** The error itself with its status, for who isn't the one that it is answered to. */
export function presentErrorAlone(error: GatewayError): JsonObject & PresentedCode {
  return { status: statusOf(error), ...errorOf(error) };
}

type PresentedCode = Readonly<{ status: number; code: string | null }>;

function errorOf(error: GatewayError) {
  return { message: messageOf(error), type: typeOf(error), code: codeOf(error), param: paramOf(error) };
}

/** The more telling reason is the code where OpenAI has one for it: clients act on `context_length_exceeded`. */
function codeOf(error: GatewayError): string | null {
  if (error.code === 'provider_error_returned') return error.error.code;
  if (error.code === 'invalid_request_error' && error.reason !== 'invalid_value') return error.reason;
  return error.code;
}

function paramOf(error: GatewayError): string | null {
  if ('param' in error) return error.param;
  if (error.code === 'provider_error_returned') return error.error.param;
  if (error.code === 'unprocessable') return error.problems[0]?.field ?? null;
  return error.code === 'model_not_found' ? 'model' : null;
}

function attemptsOf(attempts: Ledger): JsonObject {
  return attempts.length === 0 ? {} : { attempts: attempts.map(presentAttempt) };
}

function factsOf(error: GatewayError): JsonObject {
  if ('refusals' in error)
    return error.refusals.length === 0 ? {} : { refusals: error.refusals.map(presentRefusal) };
  if ('problems' in error && error.problems !== undefined) {
    return { problems: error.problems.map(({ field, message }) => ({ field, message })) };
  }
  return numbersOf(error);
}

function numbersOf(error: GatewayError): JsonObject {
  if (error.code === 'precondition_failed') return { current_version: error.currentVersion };
  if (error.code === 'idempotency_answer_unavailable') return { original_request_id: error.requestId };
  if (error.code === 'payload_too_large') return { limit_bytes: error.limitBytes };
  if (error.code !== 'insufficient_balance') return {};
  return { required_micro_usd: error.requiredMicroUsd, available_micro_usd: error.availableMicroUsd };
}

/** RFC 9110 §11.6.1: a 401 names the scheme that would have been right. */
function challengeOf(error: GatewayError): Record<string, string> {
  return error.code === 'invalid_api_key' ? { 'www-authenticate': 'Bearer' } : {};
}
