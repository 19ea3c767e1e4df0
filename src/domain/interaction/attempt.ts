import type { Route } from '../catalog/route';
import type { PicoUsd } from '../kernel/money';
import type { PiiCounts } from '../pii/pii-scan';
import type { Fault } from '../resilience/fault';
import type { Usage } from './usage';

/** `initial`: the first attempt, on the primary. The other three are what DESIGN §2 calls them. */
export const ATTEMPT_ACTIONS = ['initial', 'retry', 'channel_fallback', 'model_fallback'] as const;
export type AttemptAction = (typeof ATTEMPT_ACTIONS)[number];

/** What is known when an attempt starts: enough for reconciliation if nothing else is ever written. */
export type AttemptStart = Readonly<{
  /** From 1 within the interaction. */
  number: number;
  action: AttemptAction;
  route: Route;
  startedAtMs: number;
  /** The wait that preceded it, milliseconds. */
  backoffMs: number;
  /** It holds the circuit's half-open trial slot. */
  trial: boolean;
  /** What it is charged if nobody ever learns how it ended; absent or null: nothing, its cost is unknown then. */
  inputEstimate?: InputEstimate | null;
  /** What the provider gets placeholders for, in numbers; absent or null: nothing. */
  redacted?: PiiCounts | null;
}>;

/** A provider that was sent a request has charged its input at least. */
export type InputEstimate = Readonly<{ inputTokens: number; costPico: PicoUsd }>;

/** One finished upstream call: a row of the ledger. */
export type Attempt = AttemptStart &
  Readonly<{
    headersAtMs: number | null;
    firstOutputAtMs: number | null;
    endedAtMs: number;
    /** HTTP status of the provider's response. */
    status: number | null;
    /** A limit of our account at the provider is used up until then; absent or null: it said nothing of it. */
    quotaUntilMs?: number | null;
    upstreamRequestId: string | null;
    outcome: AttemptOutcome;
    usage: Usage;
    /** What the provider charges for it; null: its price or its usage is unknown. */
    costPico: PicoUsd | null;
    ignoredParams: readonly string[];
  }>;

export type AttemptOutcome =
  Readonly<{ kind: 'served'; finishReason: string }> | Readonly<{ kind: 'failed'; fault: Fault }>;
