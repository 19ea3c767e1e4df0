import type { AbortCause } from './signal';

/** FAILURES §1. The class decides what may be done; the code is the provider's own word, kept as evidence. */
export const FAULT_CLASSES = [
  'caller',
  'contract',
  'credential',
  'rate_limited',
  'server_error',
  'timeout',
  'network',
  'malformed',
  'refusal',
  'cancelled',
  'partial',
  'ambiguous',
  'local',
] as const;
export type FaultClass = (typeof FAULT_CLASSES)[number];

/** H: before response headers. G: headers seen, nothing said to the caller. C: committed (FAILURES §5). */
export const STAGES = ['before_headers', 'before_output', 'after_output'] as const;
export type Stage = (typeof STAGES)[number];

/** A failure of one attempt, understood. */
export type Fault = Readonly<{
  class: FaultClass;
  stage: Stage;
  /** The provider's own code or type, an errno, or our word for it (`setup`, `overloaded`, `headers_timeout`…). */
  code: string | null;
  /** HTTP status, or the effective status of an error inside a 200; null when there was no HTTP answer. */
  status: number | null;
  /** How long the provider asked to wait; null: it named no usable wait. Never negative or NaN. */
  retryAfterMs: number | null;
  /** False: never on this route again, whatever the class allows (set-up faults, TLS, `x-should-retry: false`). */
  retryable: boolean;
  /** True: structured proof that our account is at fault, so the circuit opens at once (DESIGN §6). */
  accountEvidence: boolean;
  /** Whether the request reached the provider. */
  requestSent: 'no' | 'maybe' | 'yes';
  /** Our own reason to end the attempt, if we ended it. */
  abortedBy: AbortCause | null;
  /** What the provider said, for faults that are returned as they are; secrets are already redacted. */
  providerError: ProviderError | null;
  /** The request field at fault, for `local` and `contract` faults. */
  param: string | null;
}>;

/** The provider's error in OpenAI's shape. */
export type ProviderError = Readonly<{
  message: string;
  type: string | null;
  code: string | null;
  param: string | null;
}>;
