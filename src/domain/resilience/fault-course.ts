import type { FailoverCause } from '../routing/policy-settings';
import { LARGEST_DRAW, SMALLEST_DRAW } from './backoff';
import { decide, headersLimitMs, suffer } from './hypothesis';
import type { Hypothesis, Mishap, Moment } from './hypothesis';
import type { NextAction, NextAttempt, NextStop } from './next-action';
import { FAULT_CAUSES, sampleMishap } from './sample-mishap';

/** What would follow if the route that is asked first failed for a cause, at both ends of chance. */
export type FaultCourse = Readonly<{
  cause: FailoverCause;
  /** With the shortest waits that jitter can draw. */
  soonest: Outlook;
  /** With the longest, which may leave less time for attempts. */
  latest: Outlook;
}>;

export type Outlook = Readonly<{
  /** The waits before the retries of the first route, milliseconds; as many as there are retries. */
  waitsMs: readonly number[];
  /** What follows the last of them. */
  then: NextAction;
  /** All attempts, if every route failed for the same cause; empty for an open circuit, which is no fault of an attempt. */
  attempts: readonly NextAttempt[];
  /** How that would end; null for an open circuit. */
  end: NextStop | null;
}>;

/** One course per cause of a fault; none where no route can be asked at all. */
export function faultCourses(
  hypothesis: Hypothesis,
  beginning: Moment,
  form: 'whole' | 'stream',
): readonly FaultCourse[] {
  if (decide(hypothesis, beginning, SMALLEST_DRAW).kind === 'stop') return [];
  return FAULT_CAUSES.map((cause) => {
    const mishap = sampleMishap(cause, headersLimitMs(hypothesis, form));
    return {
      cause,
      soonest: outlookOf(hypothesis, beginning, mishap, SMALLEST_DRAW),
      latest: outlookOf(hypothesis, beginning, mishap, LARGEST_DRAW),
    };
  });
}

/** What a request would meet whose first route has just been closed to it; `hypothesis` is planned under that condition. */
export function openCircuitCourse(hypothesis: Hypothesis, beginning: Moment): FaultCourse {
  const then = decide(hypothesis, beginning, SMALLEST_DRAW);
  const outlook = { waitsMs: [], then, attempts: [], end: null };
  return { cause: 'circuit_open', soonest: outlook, latest: outlook };
}

function outlookOf(hypothesis: Hypothesis, beginning: Moment, mishap: Mishap, draw: number): Outlook {
  const attempts: NextAttempt[] = [];
  let moment = beginning;
  let action = decide(hypothesis, moment, draw);
  while (action.kind === 'attempt') {
    attempts.push(action);
    moment = suffer(hypothesis, moment, action, mishap);
    action = decide(hypothesis, moment, draw);
  }
  const first = attempts[0]?.candidate.route.id;
  const onFirst = attempts.filter(({ candidate }) => candidate.route.id === first);
  return {
    waitsMs: onFirst.slice(1).map(({ delayMs }) => delayMs),
    then: attempts[onFirst.length] ?? action,
    attempts,
    end: action,
  };
}
