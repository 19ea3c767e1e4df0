import type { OfferingId } from '../../src/domain/kernel/ids';
import type { Signal } from '../../src/domain/resilience/signal';
import type { RetryHints } from '../../src/domain/resilience/signal';
import type { Frame } from '../../src/domain/stream/frame';
import { aChunk, aFinish, anAnswer, aPreamble, aStatus, END } from './sample-frames';
import type { Behaviour, ScriptedGroup } from './scripted-provider';

/** An error status. */
export function failsWith(status: number, afterMs = 80, hints: Partial<RetryHints> = {}): Behaviour {
  return { kind: 'fails', afterMs, signal: aStatus(status, hints), status };
}

/** No HTTP answer at all. */
export function breaksWith(signal: Signal, afterMs = 80): Behaviour {
  return { kind: 'fails', afterMs, signal, status: null };
}

export function answers(content = 'hello', headersAfterMs = 100, bodyAfterMs = 50): Behaviour {
  return {
    kind: 'answers',
    headersAfterMs,
    bodyAfterMs,
    outcome: { kind: 'answer', answer: anAnswer(content) },
  };
}

/** No headers, ever. */
export const HANGS: Behaviour = {
  kind: 'streams',
  headersAfterMs: Infinity,
  groups: [],
  then: 'silence',
};

export function group(afterMs: number, ...frames: readonly Frame[]): ScriptedGroup {
  return { afterMs, frames };
}

export function streams(groups: readonly ScriptedGroup[], headersAfterMs = 100): Behaviour {
  return { kind: 'streams', headersAfterMs, groups, then: 'silence' };
}

/** A whole stream: a role, the words one every 50 ms, a finish reason, the end. */
export function streamsWords(...words: readonly string[]): Behaviour {
  return streams([
    group(0, aPreamble()),
    ...words.map((word) => group(50, aChunk(word))),
    group(50, aFinish(), END),
  ]);
}

/** What each route does with its calls: one after the other, and the last behaviour stays; or as it decides at each call. */
export type Script = Readonly<Record<OfferingId, readonly Behaviour[] | (() => Behaviour)>>;

export function byRoute(script: Script): (route: OfferingId, nth: number) => Behaviour {
  return (route, nth) => {
    const behaviours = script[route] ?? [];
    if (typeof behaviours === 'function') return behaviours();
    const behaviour = behaviours[Math.min(nth, behaviours.length - 1)];
    if (behaviour === undefined) throw new Error(`the script has nothing for ${route}`);
    return behaviour;
  };
}
