import type { FallbackReason } from '../../domain/interaction/fallback-reason';
import type { FailoverCause } from '../../domain/routing/policy-settings';
import type { ProviderAct } from '../port/rehearsal-stage';

/** How an attempt ends, in the words of the ledger: served, or the class of its fault. */
export type Outcome = 'served' | FaultOutcome;
export type FaultOutcome = 'server_error' | 'rate_limited' | 'network' | 'caller' | 'partial' | 'cancelled';

/** What may follow a fault. */
export type FaultRule = Readonly<{
  retry: 'as_configured' | 'once' | 'never';
  /** Whether another route may be taken. */
  leaves: boolean;
  /** What a policy has to list, and how the answer names it; null: no failover can follow. */
  cause: FailoverCause | null;
  reason: FallbackReason | null;
  /** Whether it counts towards opening the route's circuit. */
  opensCircuit: boolean;
}>;

const FINAL: FaultRule = { retry: 'never', leaves: false, cause: null, reason: null, opensCircuit: false };

/** DESIGN §6, the rows that drills play; written down once more on purpose, so that the product's own table is checked by it. */
export const FAULT_RULES: Readonly<Record<FaultOutcome, FaultRule>> = {
  server_error: {
    retry: 'as_configured',
    leaves: true,
    cause: 'server_error',
    reason: 'primary_provider_5xx',
    opensCircuit: true,
  },
  rate_limited: {
    retry: 'as_configured',
    leaves: true,
    cause: 'rate_limited',
    reason: 'primary_provider_429',
    opensCircuit: false,
  },
  network: {
    retry: 'once',
    leaves: true,
    cause: 'network',
    reason: 'primary_stream_error',
    opensCircuit: true,
  },
  caller: FINAL,
  partial: FINAL,
  cancelled: FINAL,
};

/** How an attempt ends that meets an act. A break is `network` for who has seen nothing yet, and `partial` for who has. */
export function outcomeOf(act: ProviderAct, commitOn: 'first_output' | 'complete'): Outcome {
  switch (act.kind) {
    case 'answers':
      return 'served';
    case 'is_down':
      return 'server_error';
    case 'rate_limits':
      return 'rate_limited';
    case 'refuses_request':
      return 'caller';
    case 'holds':
      return 'cancelled';
    case 'breaks_off':
      return commitOn === 'complete' ? 'network' : 'partial';
  }
}
