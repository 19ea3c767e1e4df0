import type { Fault, FaultClass } from '../resilience/fault';
import { healthOutcomeOf } from './health-outcome';
import { lastServedAtMs } from './route-health';
import type { RouteHealth } from './route-health';

/** `inconclusive`: the provider is there and said something that is no failure of its own, e.g. that it can't list models. */
export type ProbeVerdict = 'answered' | 'failed' | 'inconclusive';

export type ProbeResult = Readonly<{
  verdict: ProbeVerdict;
  startedAtMs: number;
  endedAtMs: number;
  /** Null: it answered. */
  fault: Readonly<{ class: FaultClass; code: string | null; status: number | null }> | null;
}>;

/** What is remembered of a channel's probes. */
export type ChannelProbe = Readonly<{
  /** Null: it was never probed. */
  last: ProbeResult | null;
  /** When the failures since the last answer ended, oldest first; only the newest that matter. */
  failuresAtMs: readonly number[];
}>;

/** As many as open a circuit (DESIGN §6): a probe is worth no more than a request. */
export const PROBE_FAILURES = 3;

export const NEVER_PROBED: ChannelProbe = { last: null, failuresAtMs: [] };

/** Understands how a probe ended; null: it was answered. */
export function probeResultOf(fault: Fault | null, startedAtMs: number, endedAtMs: number): ProbeResult {
  if (fault === null) return { verdict: 'answered', startedAtMs, endedAtMs, fault: null };
  const verdict = healthOutcomeOf(fault) === 'neutral' ? 'inconclusive' : 'failed';
  const { class: faultClass, code, status } = fault;
  return { verdict, startedAtMs, endedAtMs, fault: { class: faultClass, code, status } };
}

/** An answer ends a series of failures; what is inconclusive leaves it as it is. */
export function afterProbe(probe: ChannelProbe, last: ProbeResult): ChannelProbe {
  switch (last.verdict) {
    case 'answered':
      return { last, failuresAtMs: [] };
    case 'inconclusive':
      return { ...probe, last };
    case 'failed':
      return { last, failuresAtMs: [...probe.failuresAtMs, last.endedAtMs].slice(-PROBE_FAILURES) };
  }
}

/**
 * Whether failed probes open a route's circuit early: three in a row, with no request served since the first of them. An
 * answer that a caller got proves more than a probe. One that isn't closed keeps its own schedule, or a probe that asks
 * for what the provider doesn't offer would hold it open for ever (ADR 12).
 */
export function opensCircuit({ failuresAtMs }: ChannelProbe, health: RouteHealth): boolean {
  const [firstMs] = failuresAtMs;
  if (firstMs === undefined || failuresAtMs.length < PROBE_FAILURES) return false;
  return health.breaker.state === 'closed' && lastServedAtMs(health) < firstMs;
}
