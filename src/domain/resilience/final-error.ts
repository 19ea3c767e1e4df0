import type { GatewayError } from '../error/gateway-error';
import type { Refusal } from '../routing/refusal';
import type { Fault } from './fault';
import type { FaultClass } from './fault-class';
import { mismatchError } from './mismatch-error';
import { wordlessProviderError } from './provider-error';
import type { ProviderError } from './provider-error';
import type { FailedAttempt } from './situation';

/** What is known of an interaction beyond its decisive fault. */
export type FinalFacts = Readonly<{
  /** Upstream calls that were made. */
  attempts: number;
  retryAfterMs: number | null;
  refusals: readonly Refusal[];
}>;

type ErrorOf = (failed: FailedAttempt, facts: FinalFacts) => GatewayError;

const ERROR_OF_CLASS: Readonly<Record<FaultClass, ErrorOf>> = {
  caller: returnedAsIs,
  contract: returnedAsIs,
  refusal: returnedAsIs,
  local: localError,
  credential: providerFailed,
  rate_limited: providerFailed,
  server_error: providerFailed,
  network: providerFailed,
  timeout: providerTimeout,
  malformed: malformedError,
  partial: partialError,
  ambiguous: providerFailed,
  cancelled: providerFailed,
};

/** What happened at a provider, in words; its own text may hold what isn't the caller's to see. */
const WORDS: Readonly<Record<FaultClass, (provider: string) => string>> = {
  caller: (provider) => `The provider ${provider} refused the request`,
  contract: (provider) => `The provider ${provider} can not do what was asked`,
  refusal: (provider) => `The provider ${provider} declined`,
  local: (provider) => `The call of the provider ${provider} could not be made`,
  credential: (provider) => `The gateway's account at the provider ${provider} failed`,
  rate_limited: (provider) => `The provider ${provider} takes no more calls for now`,
  server_error: (provider) => `The provider ${provider} failed`,
  network: (provider) => `The connection to the provider ${provider} failed`,
  timeout: (provider) => `The provider ${provider} did not answer in time`,
  malformed: (provider) => `The answer of the provider ${provider} could not be understood`,
  partial: (provider) => `The answer of the provider ${provider} broke off`,
  ambiguous: (provider) => `The provider ${provider} stopped with unknown side effects of its own tools`,
  cancelled: (provider) => `The call of the provider ${provider} was ended`,
};

/** Which of our errors a fault becomes when nothing more may be done (FAILURES §5, last part): the only place that says so. */
export function errorOfFault(failed: FailedAttempt, facts: FinalFacts): GatewayError {
  return ERROR_OF_CLASS[failed.fault.class](failed, facts);
}

/** A provider that answers 200 with its refusal has no status to pass on: the request is what it refused. */
function returnedAsIs({ fault }: FailedAttempt): GatewayError {
  if (fault.requestSent === 'no' && fault.providerError !== null) return invalidRequest(fault.providerError);
  const status = fault.status !== null && fault.status >= 400 ? fault.status : 400;
  return {
    code: 'provider_error_returned',
    status,
    error: fault.providerError ?? wordlessProviderError(status),
  };
}

/** We found it ourselves before anything was sent, so it is no provider's error. */
function invalidRequest({ message, param }: ProviderError): GatewayError {
  return { code: 'invalid_request_error', reason: 'invalid_value', param, message };
}

function localError({ fault }: FailedAttempt): GatewayError {
  if (fault.param === null || fault.stage === 'after_output') return { code: 'gateway_error' };
  return mismatchError(fault.param, 'it can not be expressed there');
}

function providerFailed(failed: FailedAttempt, facts: FinalFacts): GatewayError {
  const { retryAfterMs, refusals } = facts;
  return { code: 'provider_failed', message: messageOf(failed, facts), retryAfterMs, refusals };
}

function providerTimeout(failed: FailedAttempt, facts: FinalFacts): GatewayError {
  return { code: 'provider_timeout', message: messageOf(failed, facts), refusals: facts.refusals };
}

/** Groq's failed tool call is its model's mistake, but only the caller can change what was asked (FAILURES §3.2). */
function malformedError(failed: FailedAttempt, facts: FinalFacts): GatewayError {
  if (failed.fault.code === 'tool_use_failed') return returnedAsIs(failed);
  return { code: 'provider_malformed', message: messageOf(failed, facts), refusals: facts.refusals };
}

function partialError(failed: FailedAttempt, facts: FinalFacts): GatewayError {
  return failed.fault.abortedBy === null ? providerFailed(failed, facts) : providerTimeout(failed, facts);
}

/** Names provider, class and count, and no secret can be among them. */
function messageOf({ route, fault }: FailedAttempt, { attempts }: FinalFacts): string {
  const made = attempts === 1 ? '1 attempt was made' : `${attempts} attempts were made`;
  return `${WORDS[fault.class](route.provider)} (${detailOf(fault)}); ${made}.`;
}

function detailOf({ class: faultClass, status }: Fault): string {
  return status === null ? faultClass : `${faultClass}, status ${status}`;
}
