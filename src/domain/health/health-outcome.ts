import type { Fault, FaultClass } from '../resilience/fault';
import type { AbortCause } from '../resilience/signal';
import type { HealthOutcome } from './circuit-breaker';

/** FAILURES §1, column "breaker counts?". A credential fault with structured proof is an account fault instead. */
const OUTCOME_OF_CLASS: Readonly<Record<FaultClass, HealthOutcome>> = {
  caller: 'neutral',
  contract: 'neutral',
  credential: 'failure',
  rate_limited: 'neutral',
  server_error: 'failure',
  timeout: 'failure',
  network: 'failure',
  malformed: 'failure',
  refusal: 'neutral',
  cancelled: 'neutral',
  partial: 'failure',
  ambiguous: 'neutral',
  local: 'neutral',
};

/**
 * Whether an end that we made ourselves is evidence against the provider. A caller's short deadline, a caller who
 * doesn't read, our shutdown, and impatience for the first token are none: one caller could close a route for all.
 */
const ABORT_IS_EVIDENCE: Readonly<Record<AbortCause, boolean>> = {
  caller_gone: false,
  deadline: false,
  headers_timeout: true,
  idle_timeout: true,
  ttft_timeout: false,
  write_stalled: false,
  shutdown: false,
};

/** What an attempt says about its route; null: it served. */
export function healthOutcomeOf(fault: Fault | null): HealthOutcome {
  if (fault === null) return 'success';
  if (fault.abortedBy !== null && !ABORT_IS_EVIDENCE[fault.abortedBy]) return 'neutral';
  if (fault.class === 'credential' && fault.accountEvidence) return 'account_fault';
  return OUTCOME_OF_CLASS[fault.class];
}
