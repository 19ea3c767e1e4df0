import type { FaultClass } from '../resilience/fault';

/** Names that a policy may list in `failover_on` (DESIGN §4). `context_length` is opt-in and not in the default. */
export const FAILOVER_CAUSES = [
  'server_error',
  'timeout',
  'network',
  'rate_limited',
  'credential',
  'malformed',
  'circuit_open',
  'context_length',
] as const;
export type FailoverCause = (typeof FAILOVER_CAUSES)[number];

/** How an interaction may retry, fall back and wait. All times are milliseconds. */
export type PolicySettings = Readonly<{
  maxFallbackCostMultiplier: number;
  failoverOn: readonly FailoverCause[];
  retry: RetrySettings;
  /** Routes tried per request, 1 to 3. */
  maxHops: number;
  timeouts: TimeoutSettings;
  /** `complete`: the whole answer is held, so that it survives a break in mid-stream. */
  commitOn: 'first_output' | 'complete';
  unsupportedParams: 'ignore' | 'reject';
  minAttemptMs: number;
  responseModel: 'annotated' | 'served';
}>;

export type RetrySettings = Readonly<{
  maxRetries: number;
  /** With a fallback left, at most so many retries come before it. */
  maxRetriesBeforeFallback: number;
  baseDelayMs: number;
  maxDelayMs: number;
  /** Share of the delay by which it is moved up or down at random, 0 to 1. */
  jitter: number;
}>;

export type TimeoutSettings = Readonly<{
  /** Wait for response headers of an unstreamed call. */
  headersMs: number;
  /** Wait for response headers of a streamed call. */
  streamHeadersMs: number;
  /** Silence after the headers until the response is opened without being committed. */
  streamGateMs: number;
  idleMs: number;
  deadlineMs: number;
  /** Nothing decisive by then and another route is eligible: move on. Null: off. */
  ttftFailoverMs: number | null;
}>;

/** DESIGN §4: what holds where a policy says nothing, and with no policy at all. */
export const DEFAULT_SETTINGS: PolicySettings = {
  maxFallbackCostMultiplier: 5,
  failoverOn: [
    'server_error',
    'timeout',
    'network',
    'rate_limited',
    'credential',
    'malformed',
    'circuit_open',
  ],
  retry: { maxRetries: 5, maxRetriesBeforeFallback: 1, baseDelayMs: 1_000, maxDelayMs: 60_000, jitter: 0.25 },
  maxHops: 3,
  timeouts: {
    headersMs: 240_000,
    streamHeadersMs: 90_000,
    streamGateMs: 30_000,
    idleMs: 120_000,
    deadlineMs: 300_000,
    ttftFailoverMs: null,
  },
  commitOn: 'first_output',
  unsupportedParams: 'ignore',
  minAttemptMs: 1_000,
  responseModel: 'annotated',
};

/** The `failover_on` name of a fault class; null: no policy can make this class a reason to change the model. */
export const FAILOVER_CAUSE_OF: Readonly<Record<FaultClass, FailoverCause | null>> = {
  server_error: 'server_error',
  timeout: 'timeout',
  network: 'network',
  rate_limited: 'rate_limited',
  credential: 'credential',
  malformed: 'malformed',
  // Only where its code is the context length, and only if the policy lists `context_length`.
  contract: 'context_length',
  caller: null,
  refusal: null,
  cancelled: null,
  partial: null,
  ambiguous: null,
  local: null,
};

/** Settings as a policy writes them: what it leaves out has its default. */
export type SettingsInput = Partial<Omit<PolicySettings, 'retry' | 'timeouts'>> &
  Readonly<{ retry?: Partial<RetrySettings>; timeouts?: Partial<TimeoutSettings> }>;

/** Fills in the defaults. Null is a value, `undefined` is left out. */
export function settingsWithDefaults(input: SettingsInput): PolicySettings {
  const { retry, timeouts, ...others } = input;
  return {
    ...DEFAULT_SETTINGS,
    ...given(others),
    retry: { ...DEFAULT_SETTINGS.retry, ...given(retry ?? {}) },
    timeouts: { ...DEFAULT_SETTINGS.timeouts, ...given(timeouts ?? {}) },
  };
}

function given<T extends object>(input: T): Partial<T> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Partial<T>;
}
