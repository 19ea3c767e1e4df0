import type { OfferingId, ProviderId } from '../kernel/ids';
import type { MicroUsd } from '../kernel/money';

/** The per-provider view that the strategies use (DESIGN §6). */
export type ProviderHealth = Readonly<{
  provider: ProviderId;
  healthy: boolean;
  /** EWMA of the time to the first output, milliseconds; null: never seen. */
  latencyMs: number | null;
  /** Price of a million input and a million output tokens together; null: unknown. */
  costMicroUsd: MicroUsd | null;
}>;

/** What is known of a route at one moment. */
export type RouteCondition = Readonly<{
  route: OfferingId;
  circuit: CircuitView;
  /** The provider asked us to wait until then; null or past: not throttled. */
  throttledUntilMs: number | null;
  /** EWMA of the time to the first output, milliseconds; null: never seen. */
  latencyMs: number | null;
}>;

export type CircuitView =
  | Readonly<{ state: 'closed' }>
  | Readonly<{ state: 'open'; untilMs: number }>
  /** `trialTaken`: another request already decides whether the circuit closes. */
  | Readonly<{ state: 'half_open'; trialTaken: boolean }>;

/** Facts that change while a request runs: judged again before every hop (DESIGN §5). */
export type Conditions = Readonly<{
  nowMs: number;
  conditionOf(route: OfferingId): RouteCondition;
}>;
