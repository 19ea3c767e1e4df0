import type { TenantId } from '../../domain/kernel/ids';

/** Learns what requests that were drawn for a canary came to. */
export interface CanaryObserver {
  /** Takes in one request. It neither waits nor fails: what follows from it is not the caller's business. */
  observe(canary: CanaryRef, outcome: 'served' | 'failed'): void;
}

/** The canary of one version of a policy. */
export type CanaryRef = Readonly<{ tenant: TenantId; policy: string; version: number }>;
