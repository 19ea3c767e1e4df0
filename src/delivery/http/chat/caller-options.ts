import type { IncomingHttpHeaders } from 'node:http';
import type { InvalidRequest } from '../../../domain/error/gateway-error';
import { err, ok, type Result } from '../../../domain/kernel/result';
import type { CallerOptions } from '../../../usecase/chat/admitted-chat';

/** HEADERS §1: a correlation id of another shape is ignored, for it ends up in logs and records. */
const CORRELATION = /^[A-Za-z0-9._:-]{1,128}$/;
/** A label is a dimension of the usage report, so it has to stay readable and bounded. */
const LABEL = /^[\x20-\x7e]{1,128}$/;
/** HEADERS §1. Sent twice, Node joins both with a space between, which is no part of a key. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
const WHOLE_NUMBER = /^\d{1,9}$/;
const REPLAY_WORDS: readonly string[] = ['never', 'allowed'];
const MS_PER_SECOND = 1_000;

/**
 * What a caller's headers ask of us (HEADERS §1). Our own headers are refused when they can't be understood, because a
 * limit that silently doesn't hold would surprise. Labels, correlation and what SDKs send limit nothing: ignored then.
 */
export function callerOptionsOf(headers: IncomingHttpHeaders): Result<CallerOptions, InvalidRequest> {
  const timeout = text(headers, 'x-schneeai-timeout-ms');
  const replay = text(headers, 'x-schneeai-replay');
  const idempotencyKey = text(headers, 'idempotency-key');
  if (timeout !== null && !isPositive(timeout)) {
    return invalid('x-schneeai-timeout-ms', 'a whole number of milliseconds from 1 to 999999999');
  }
  if (replay !== null && !REPLAY_WORDS.includes(replay)) {
    return invalid('x-schneeai-replay', `'never' or 'allowed'`);
  }
  if (idempotencyKey !== null && !IDEMPOTENCY_KEY.test(idempotencyKey)) {
    return invalid('idempotency-key', '1 to 255 visible ASCII characters');
  }
  return ok({
    timeoutMs: timeout === null ? sdkTimeoutMs(headers) : Number(timeout),
    forbidsReplay: replay === 'never',
    idempotencyKey,
    service: matching(LABEL, text(headers, 'x-schneeai-service')),
    feature: matching(LABEL, text(headers, 'x-schneeai-feature')),
    parentRequestId:
      matching(CORRELATION, text(headers, 'x-client-request-id')) ??
      matching(CORRELATION, text(headers, 'x-request-id')),
    clientRetryCount: wholeNumber(text(headers, 'x-stainless-retry-count')),
  });
}

/** Whole seconds, as the SDKs send it. */
function sdkTimeoutMs(headers: IncomingHttpHeaders): number | null {
  const seconds = text(headers, 'x-stainless-timeout');
  return seconds !== null && isPositive(seconds) ? Number(seconds) * MS_PER_SECOND : null;
}

function isPositive(digits: string): boolean {
  return (wholeNumber(digits) ?? 0) > 0;
}

function wholeNumber(digits: string | null): number | null {
  return digits !== null && WHOLE_NUMBER.test(digits) ? Number(digits) : null;
}

function text(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : null;
}

function matching(pattern: RegExp, value: string | null): string | null {
  return value !== null && pattern.test(value) ? value : null;
}

function invalid(param: string, expected: string): Result<never, InvalidRequest> {
  const message = `The header '${param}' must be ${expected}.`;
  return err({ code: 'invalid_request_error', reason: 'invalid_value', param, message });
}
