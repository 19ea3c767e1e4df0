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

/** Whether the request reached the provider. `no` makes every request replay-safe. */
export type RequestSent = 'no' | 'maybe' | 'yes';

/** What one row of a signal table says. */
export type Verdict = Readonly<{
  class: FaultClass;
  /** Our word for the fault, where the provider has none; absent: the provider's own code is kept. */
  code?: string;
  /** False: never on this route again, whatever the class allows. */
  retryable?: false;
  /** Structured proof that our account is at fault. */
  accountEvidence?: true;
}>;
