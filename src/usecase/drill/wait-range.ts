import type { RetrySettings } from '../../domain/routing/policy-settings';
import type { ProviderAct } from '../port/rehearsal-stage';

/** Between which limits a wait must lie, milliseconds, both included. */
export type WaitRange = Readonly<{ minMs: number; maxMs: number }>;

/**
 * DESIGN §6: min(cap, base·2^k) ± jitter, or exactly what the provider asked for. A broken connection may be retried at
 * once, because a reused one often breaks for no reason of the provider's.
 */
export function waitRange(act: ProviderAct, retry: RetrySettings, retriesBefore: number): WaitRange {
  if (act.kind === 'rate_limits') {
    const waitMs = act.retryAfterSeconds * 1_000;
    return { minMs: waitMs, maxMs: waitMs };
  }
  const plain = Math.min(retry.maxDelayMs, retry.baseDelayMs * 2 ** retriesBefore);
  return {
    minMs: act.kind === 'breaks_off' ? 0 : Math.floor(plain * (1 - retry.jitter)),
    maxMs: Math.ceil(plain * (1 + retry.jitter)),
  };
}
