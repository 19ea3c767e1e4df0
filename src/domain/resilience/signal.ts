import type { JsonValue } from '../kernel/json';

/**
 * What an adapter saw of a failure, the same for both wires. It is raw evidence: `classify` in fault.ts decides what it
 * means. Secrets are redacted from every text before it becomes part of a signal.
 */
export type Signal =
  /** `sent`: what is known for certain of the request; absent: what is usual for the cause. */
  | Readonly<{ kind: 'aborted'; by: AbortCause; sent?: 'no' }>
  | LocalSignal
  | NetworkSignal
  | ProviderErrorSignal
  | Readonly<{ kind: 'malformed'; what: MalformedAnswer }>
  /** The stream ended without a terminal event. */
  | Readonly<{ kind: 'truncated' }>
  /** A finish reason that reports a failure (`error`, `insufficient_system_resource`). */
  | Readonly<{ kind: 'failing_finish'; finishReason: string }>
  /** The provider paused a turn in which its own tools had run (`pause_turn`). */
  | Readonly<{ kind: 'side_effects_unknown'; detail: string }>;

/** Why we ourselves ended an attempt. Our own flag decides, never the shape of the exception (FAILURES §2.1). */
export type AbortCause =
  | 'caller_gone'
  | 'deadline'
  | 'headers_timeout'
  | 'idle_timeout'
  | 'ttft_timeout'
  | 'write_stalled'
  | 'shutdown';

/** Something failed before the request was written: it can't be expressed on this route, it is wrong, or we have a bug. */
export type LocalSignal = Readonly<{
  kind: 'local';
  /**
   * `untranslatable`: another route may express it. `rejected`: the request is wrong on any route (WIRE §1.3).
   * `no_credential`: what the channel's reference names is not there.
   */
  cause: 'untranslatable' | 'rejected' | 'no_credential' | 'defect';
  /** The request field that this route can't express, or that is wrong. */
  param: string | null;
  message: string;
}>;

/** No HTTP answer, or a connection that broke. */
export type NetworkSignal = Readonly<{
  kind: 'network';
  /** The errno or undici code found by walking the `cause` chain, e.g. `ECONNREFUSED`; `UNKNOWN` if there is none. */
  code: string;
}>;

/** The provider said that it failed: by status, by the body of a 200, or by an error frame. */
export type ProviderErrorSignal = Readonly<{
  kind: 'provider_error';
  /** HTTP status of the response; 200 for an error frame or an error in a successful body. */
  status: number;
  /** The parsed body or frame; null if it was empty or not JSON. */
  body: JsonValue | null;
  hints: RetryHints;
}>;

/** Response headers that bear on a retry, raw. `retry-after.ts` parses them. */
export type RetryHints = Readonly<{
  retryAfter: string | null;
  retryAfterMs: string | null;
  shouldRetry: string | null;
}>;

export const NO_HINTS: RetryHints = { retryAfter: null, retryAfterMs: null, shouldRetry: null };

export type MalformedAnswer =
  | 'not_json'
  | 'not_an_object'
  | 'no_choices'
  | 'empty_body'
  | 'no_output'
  | 'bad_frame'
  | 'oversized_frame'
  | 'bad_tool_arguments'
  | 'unexpected_status'
  | 'spliced_stream';
