import type { Fault, FaultClass } from '../resilience/fault';
import type { Plan } from '../routing/plan';
import type { Refusal, RefusalReason } from '../routing/refusal';
import type { Ledger } from './ledger';

/** Why the primary did not answer (DESIGN §8). */
export const FALLBACK_REASONS = [
  'primary_provider_5xx',
  'primary_provider_429',
  'primary_provider_timeout',
  'primary_provider_network',
  'primary_provider_credential',
  'primary_provider_malformed',
  'primary_stream_error',
  'primary_circuit_open',
  'primary_throttled',
  'primary_not_eligible',
] as const;
export type FallbackReason = (typeof FALLBACK_REASONS)[number];

/** Faults with a name of their own. The others that can lead to a failover say that the primary can't do what is asked. */
const REASON_OF_CLASS: Partial<Readonly<Record<FaultClass, FallbackReason>>> = {
  server_error: 'primary_provider_5xx',
  rate_limited: 'primary_provider_429',
  timeout: 'primary_provider_timeout',
  network: 'primary_provider_network',
  credential: 'primary_provider_credential',
  malformed: 'primary_provider_malformed',
};

const REASON_OF_REFUSAL: Partial<Readonly<Record<RefusalReason, FallbackReason>>> = {
  circuit_open: 'primary_circuit_open',
  throttled: 'primary_throttled',
};

/**
 * Why another route than the primary was taken. The primary's last fault says it; a primary that was never asked was
 * refused by its health or by a gate. It is always told: no substitution is silent (DESIGN §2, ADR 8).
 */
export function fallbackReasonOf(plan: Plan, ledger: Ledger, refusals: readonly Refusal[]): FallbackReason {
  const primary = plan.primary?.route.id;
  const attempt = ledger.findLast(({ route }) => route.id === primary);
  if (attempt?.outcome.kind === 'failed') return reasonOfFault(attempt.outcome.fault, attempt.status);
  const refusal = refusals.find(({ route }) => route.id === primary);
  const named = refusal === undefined ? undefined : REASON_OF_REFUSAL[refusal.detail.reason];
  return named ?? 'primary_not_eligible';
}

/** Malformed answers that only a stream can give. */
const STREAM_CODES: readonly string[] = [
  'truncated',
  'bad_frame',
  'oversized_frame',
  'no_output',
  'spliced_stream',
];

/** A failing frame or a break after headers of success is a stream error, whatever status the frame speaks of (DESIGN §8). */
function reasonOfFault(fault: Fault, httpStatus: number | null): FallbackReason {
  const began = httpStatus !== null && httpStatus >= 200 && httpStatus <= 299;
  const broke = fault.class === 'server_error' || fault.class === 'network';
  const garbled = fault.class === 'malformed' && STREAM_CODES.includes(fault.code ?? '');
  return began && (broke || garbled)
    ? 'primary_stream_error'
    : (REASON_OF_CLASS[fault.class] ?? 'primary_not_eligible');
}
