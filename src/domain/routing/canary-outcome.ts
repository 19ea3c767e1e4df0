import type { Ledger } from '../interaction/ledger';
import type { Fault, FaultClass } from '../resilience/fault';
import type { Refusal, RefusalReason } from './refusal';
import { isSameTarget } from './target';
import type { Target } from './target';

/** What one request says of the canary that it was drawn for. `neutral`: nothing. */
export type CanaryOutcome = 'served' | 'failed' | 'neutral';

/**
 * Faults of the provider count against a canary; what callers ask for, models decline and we break says nothing of it.
 * A rate limit counts, unlike for the circuit: a target that can't take the traffic isn't ready to be the primary.
 */
const COUNTS: Readonly<Record<FaultClass, CanaryOutcome>> = {
  caller: 'neutral',
  contract: 'neutral',
  credential: 'failed',
  rate_limited: 'failed',
  server_error: 'failed',
  timeout: 'failed',
  network: 'failed',
  malformed: 'failed',
  refusal: 'neutral',
  cancelled: 'neutral',
  partial: 'failed',
  ambiguous: 'neutral',
  local: 'neutral',
};

/** A canary that is left out for its health has failed before, and can't serve. */
const FAILED_BEFORE: readonly RefusalReason[] = ['circuit_open', 'throttled'];

/** The upstream doesn't know what the catalog calls the canary: no caller's doing, and no request will ever be served. */
const NOT_FOUND = 404;

/** What became of a request that was drawn for a canary, by the last attempt on the canary itself, on whichever channel. */
export function canaryOutcomeOf(canary: Target, ledger: Ledger, refusals: readonly Refusal[]): CanaryOutcome {
  const last = ledger.findLast(({ route }) => isSameTarget(route, canary));
  if (last === undefined) return wasUnhealthy(canary, refusals) ? 'failed' : 'neutral';
  return last.outcome.kind === 'served' ? 'served' : outcomeOfFault(last.outcome.fault);
}

function wasUnhealthy(canary: Target, refusals: readonly Refusal[]): boolean {
  return refusals.some(
    ({ route, detail }) => isSameTarget(route, canary) && FAILED_BEFORE.includes(detail.reason),
  );
}

function outcomeOfFault(fault: Fault): CanaryOutcome {
  // The caller's own short deadline; the policy's limits for headers, silence and the first output do count.
  if (fault.abortedBy === 'deadline') return 'neutral';
  if (fault.class === 'contract' && fault.status === NOT_FOUND) return 'failed';
  return COUNTS[fault.class];
}
