import type { CheckName, CheckVerdict } from '../../domain/catalog/offering-checks';
import type { Fault, FaultClass } from '../../domain/resilience/fault';
import type { CheckCall, Finding, SpokenAnswer } from './check';

/** Which faults show that an offering can't do what was asked, and which show nothing. */
const VERDICT_OF_FAULT: Readonly<Record<FaultClass, CheckVerdict>> = {
  caller: 'failed',
  contract: 'failed',
  malformed: 'failed',
  credential: 'inconclusive',
  rate_limited: 'inconclusive',
  server_error: 'inconclusive',
  timeout: 'inconclusive',
  network: 'inconclusive',
  refusal: 'inconclusive',
  cancelled: 'inconclusive',
  partial: 'inconclusive',
  ambiguous: 'inconclusive',
  local: 'inconclusive',
};

/** Codes of providers are short; a longer one is prose. */
const MAX_CODE_LENGTH = 64;

/** A reason against the answer, in one word; null: it is as it should be. */
export type Judge = (answer: SpokenAnswer) => string | null;

/** The finding of a call that should have been answered in a certain way. */
export function judged(check: CheckName, call: CheckCall, judge: Judge): Finding {
  if (call.kind === 'failed') return faulty(check, call);
  const code = judge(call.answer);
  if (code === null) return { check, verdict: 'passed', status: call.status, code };
  // An answer that ran out of room may have been on its way to the right end.
  return call.answer.finishReason === 'length'
    ? { check, verdict: 'inconclusive', status: call.status, code: 'cut_off' }
    : { check, verdict: 'failed', status: call.status, code };
}

export function faulty(check: CheckName, { status, fault }: Extract<CheckCall, { kind: 'failed' }>): Finding {
  return { check, verdict: verdictOf(fault), status, code: codeOf(fault) };
}

export function inconclusive(check: CheckName, { status }: CheckCall, code: string): Finding {
  return { check, verdict: 'inconclusive', status, code };
}

/** What can't be put on the wire of this route can't be had there; every other local fault is our own. */
function verdictOf(fault: Fault): CheckVerdict {
  return fault.code === 'untranslatable' ? 'failed' : VERDICT_OF_FAULT[fault.class];
}

function codeOf({ code, class: faultClass }: Fault): string {
  return code === null || code.length > MAX_CODE_LENGTH ? faultClass : code;
}
