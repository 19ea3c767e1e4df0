import type { Fault } from './fault';

/** `until_output`: nothing is lost by asking again while nothing was said. `never`: one call may be all that is allowed. */
export type ReplaySafety = 'until_output' | 'never';

/** What makes a request unsafe to repeat (DESIGN §6). */
export type ReplayFacts = Readonly<{
  /** The request lets the provider run tools of its own, whose effects a replay would repeat. */
  runsProviderTools: boolean;
  /** The caller said `x-schneeai-replay: never`. */
  callerForbids: boolean;
}>;

export function replaySafetyOf(facts: ReplayFacts): ReplaySafety {
  return facts.runsProviderTools || facts.callerForbids ? 'never' : 'until_output';
}

/** Whether another attempt may follow this fault. A request that never left us is safe to send, whatever it asks. */
export function mayReplay(safety: ReplaySafety, fault: Fault): boolean {
  if (fault.stage === 'after_output') return false;
  return safety === 'until_output' || fault.requestSent === 'no';
}
