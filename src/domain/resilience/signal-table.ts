import type { FaultClass, RequestSent, Stage, Verdict } from './fault-class';
import type { AbortCause } from './signal';

/** FAILURES §2.1: our own reason to end an attempt decides, whatever shape the exception had. */
export const ABORT_TABLE: Readonly<Record<AbortCause, Verdict & Readonly<{ sent: RequestSent }>>> = {
  caller_gone: { class: 'cancelled', sent: 'maybe' },
  // A caller that no longer reads has left for all that we can know.
  write_stalled: { class: 'cancelled', sent: 'yes' },
  // Not the provider's doing either; the ending tells it apart.
  shutdown: { class: 'cancelled', sent: 'maybe' },
  deadline: { class: 'timeout', sent: 'maybe' },
  headers_timeout: { class: 'timeout', sent: 'yes' },
  idle_timeout: { class: 'timeout', sent: 'yes' },
  // It was ended in order to move on to another route.
  ttft_timeout: { class: 'timeout', sent: 'yes', retryable: false },
};

/** FAILURES §2.5 and §3.4: an error inside a 200 that names neither a status nor a known code. */
export const UNNAMED_ERROR: Readonly<Record<'messages' | 'chat', Verdict>> = {
  messages: { class: 'server_error' },
  chat: { class: 'malformed' },
};

/**
 * What a fault becomes once output went to the caller (FAILURES §5, row 10): nothing that the provider does can be made
 * good any more. The four that say nothing against the provider keep their class, so that its circuit isn't charged.
 */
export const CLASS_AFTER_OUTPUT: Readonly<Record<FaultClass, FaultClass>> = {
  caller: 'partial',
  contract: 'partial',
  credential: 'partial',
  rate_limited: 'partial',
  server_error: 'partial',
  timeout: 'partial',
  network: 'partial',
  malformed: 'partial',
  partial: 'partial',
  refusal: 'refusal',
  cancelled: 'cancelled',
  ambiguous: 'ambiguous',
  local: 'local',
};

/** Headers prove that the request arrived, whatever the signal alone would say. */
export function sentAt(stage: Stage, sent: RequestSent): RequestSent {
  return stage === 'before_headers' ? sent : 'yes';
}
