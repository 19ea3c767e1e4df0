import { assertNever } from '../kernel/assert-never';
import { findCodeRow } from './code-table';
import { effectiveStatus } from './effective-status';
import { findErrorObject } from './error-object';
import type { ErrorObject } from './error-object';
import type { FaultClass, RequestSent, Stage, Verdict } from './fault-class';
import { networkRowOf } from './network-table';
import { providerErrorOf, wordlessProviderError } from './provider-error';
import type { ProviderError } from './provider-error';
import { parseRetryAfter } from './retry-after';
import { findSentenceRow } from './sentence-table';
import type { AbortCause, LocalSignal, ProviderErrorSignal, Signal } from './signal';
import { ABORT_TABLE, CLASS_AFTER_OUTPUT, sentAt, UNNAMED_ERROR } from './signal-table';
import { verdictOfStatus } from './status-table';

export { FAULT_CLASSES, STAGES } from './fault-class';
export type { FaultClass, RequestSent, Stage } from './fault-class';
export type { ProviderError } from './provider-error';

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
  requestSent: RequestSent;
  /** Our own reason to end the attempt, if we ended it. */
  abortedBy: AbortCause | null;
  /** What the provider said, or we in its place, for faults that are returned as they are; secrets are already redacted. */
  providerError: ProviderError | null;
  /** The request field at fault, for `local`, `contract` and `caller` faults. */
  param: string | null;
}>;

/** Where in the response the fault struck, and when: dates in Retry-After are measured from `nowMs`. */
export type FaultContext = Readonly<{ stage: Stage; nowMs: number }>;

/** Understands what an adapter saw: one function for both wires, in the order of FAILURES §2. */
export function classify(signal: Signal, context: FaultContext): Fault {
  const fault = understood(signal, context);
  if (context.stage !== 'after_output') return fault;
  // The original class is all that the ledger would lose here, so it stands in where there is no code.
  return { ...fault, class: CLASS_AFTER_OUTPUT[fault.class], code: fault.code ?? fault.class };
}

function understood(signal: Signal, { stage, nowMs }: FaultContext): Fault {
  switch (signal.kind) {
    case 'aborted': {
      const row = ABORT_TABLE[signal.by];
      const { by, sent = row.sent } = signal;
      return faultOf(stage, row, { code: by, requestSent: sent, abortedBy: by });
    }
    case 'local':
      return localFault(signal, stage);
    case 'network': {
      const row = networkRowOf(signal.code);
      return faultOf(stage, row, { code: signal.code, requestSent: row.sent });
    }
    case 'provider_error':
      return providerFault(signal, stage, nowMs);
    case 'malformed':
      return faultOf(stage, { class: 'malformed' }, { code: signal.what });
    case 'truncated':
      return faultOf(stage, { class: 'malformed' }, { code: 'truncated' });
    case 'failing_finish':
      return faultOf(stage, { class: 'server_error' }, { code: signal.finishReason });
    case 'side_effects_unknown':
      return faultOf(stage, { class: 'ambiguous' }, { code: signal.detail });
    default:
      return assertNever(signal);
  }
}

/** A request that is wrong anywhere is the caller's error, although no provider was asked: no other route may be tried. */
function localFault({ cause, param, message }: LocalSignal, stage: Stage): Fault {
  if (cause !== 'rejected')
    return faultOf(stage, { class: 'local' }, { code: cause, requestSent: 'no', param });
  const code = 'invalid_value';
  return faultOf(
    stage,
    { class: 'caller' },
    {
      code,
      status: 400,
      requestSent: 'no',
      param,
      providerError: { message, type: 'invalid_request_error', code, param },
    },
  );
}

function providerFault(signal: ProviderErrorSignal, stage: Stage, nowMs: number): Fault {
  const error = findErrorObject(signal.body);
  const retryAfterMs = parseRetryAfter(signal.hints, signal.body, nowMs);
  const { verdict, code, status } = judge(signal.status, error, retryAfterMs);
  const fault = faultOf(stage, verdict, {
    code,
    status,
    retryAfterMs,
    param: error?.param ?? null,
    providerError: error === null ? wordlessProviderError(status) : providerErrorOf(error, status),
  });
  // `true` only confirms; it never makes a class retryable that isn't (FAILURES §2.8).
  return signal.hints.shouldRetry === 'false' ? { ...fault, retryable: false } : fault;
}

type Judgement = Readonly<{ verdict: Verdict; code: string | null; status: number }>;

/** Documented sentences first, because they exist only where the code misleads; then codes, then the status. */
function judge(httpStatus: number, error: ErrorObject | null, retryAfterMs: number | null): Judgement {
  const status = effectiveStatus(httpStatus, error);
  const named = error === null ? null : judgeNamed(error, status, retryAfterMs);
  if (named !== null) return named;
  const code = error?.codes[0] ?? error?.code ?? null;
  if (status === null) return { verdict: UNNAMED_ERROR[error?.shape ?? 'chat'], code, status: httpStatus };
  return { verdict: verdictOfStatus(status), code, status };
}

function judgeNamed(
  error: ErrorObject,
  status: number | null,
  retryAfterMs: number | null,
): Judgement | null {
  const sentence = findSentenceRow(error, status);
  if (sentence !== null) return { verdict: sentence, code: null, status: status ?? sentence.as };
  const found = findCodeRow(error, status, retryAfterMs);
  return found === null ? null : { verdict: found.row, code: found.code, status: status ?? found.row.as };
}

/** A fault whose request arrived and of which nothing else is known, changed by what is. */
function faultOf(stage: Stage, verdict: Verdict, known: Partial<Fault>): Fault {
  return {
    class: verdict.class,
    stage,
    status: null,
    retryAfterMs: null,
    retryable: verdict.retryable ?? true,
    accountEvidence: verdict.accountEvidence ?? false,
    abortedBy: null,
    providerError: null,
    param: null,
    ...known,
    code: verdict.code ?? known.code ?? null,
    requestSent: sentAt(stage, known.requestSent ?? 'yes'),
  };
}
