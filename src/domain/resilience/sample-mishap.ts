import type { JsonObject } from '../kernel/json';
import type { FailoverCause } from '../routing/policy-settings';
import type { Mishap } from './hypothesis';
import { NO_HINTS } from './signal';
import type { RetryHints, Signal } from './signal';

/** What a policy can list and an attempt can meet: a circuit that is open lets no attempt begin. */
export type FaultCause = Exclude<FailoverCause, 'circuit_open'>;

type Sample = Readonly<{ signal: Signal; stage: Mishap['stage'] }>;

const CONTEXT_LENGTH: JsonObject = {
  error: {
    message: 'The context is too long.',
    type: 'invalid_request_error',
    code: 'context_length_exceeded',
    param: 'messages',
  },
};

function status(code: number, body: JsonObject | null = null): Sample {
  return {
    signal: { kind: 'provider_error', status: code, body, hints: NO_HINTS },
    stage: 'before_headers',
  };
}

/** The plainest fault of each cause. No wait is asked for, so that the policy's own backoff shows. */
const SAMPLES: Readonly<Record<FaultCause, Sample>> = {
  rate_limited: status(429),
  server_error: status(503),
  timeout: { signal: { kind: 'aborted', by: 'headers_timeout' }, stage: 'before_headers' },
  network: { signal: { kind: 'network', code: 'ECONNRESET' }, stage: 'before_headers' },
  credential: status(401),
  malformed: { signal: { kind: 'malformed', what: 'not_json' }, stage: 'before_output' },
  context_length: status(400, CONTEXT_LENGTH),
};

/** In the order in which they are shown. */
export const FAULT_CAUSES = Object.keys(SAMPLES) as readonly FaultCause[];

/** An attempt that fails for the cause: at once, but for a timeout, which takes the whole time limit for headers. */
export function sampleMishap(cause: FaultCause, headersLimitMs: number): Mishap {
  return { ...SAMPLES[cause], lastsMs: cause === 'timeout' ? headersLimitMs : 0 };
}

/** The same, made to leave the most time for others: nothing takes any, and who is asked to wait waits a millisecond. */
export function hastyMishap(cause: FaultCause): Mishap {
  const hints: RetryHints = { ...NO_HINTS, retryAfterMs: '1' };
  const { signal, stage } = cause === 'timeout' ? status(408) : SAMPLES[cause];
  return { stage, lastsMs: 0, signal: signal.kind === 'provider_error' ? { ...signal, hints } : signal };
}
