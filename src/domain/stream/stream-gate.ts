import { assertNever } from '../kernel/assert-never';
import type { Signal } from '../resilience/signal';
import type { ChunkFrame, Frame } from './frame';

/**
 * The stream gate (DESIGN §6, FAILURES §4): frames are held until one decides. Before that an attempt can be discarded
 * without the caller noticing; from the commit on nothing is ever held or replayed.
 */
export type GateState = Holding | Readonly<{ kind: 'committed' }>;

export type Holding = Readonly<{ kind: 'holding'; held: Held; heldChars: number }>;

/** The newest held frame and those before it. A list would be copied for every frame, and a whole answer can be held. */
export type Held = Readonly<{ frame: ChunkFrame; before: Held }> | null;

/** What becomes of a group of frames. `ended`: the provider's answer is complete. */
export type GateStep = Readonly<{
  state: GateState;
  /** Frames to write now, in order; empty while holding. */
  release: readonly ChunkFrame[];
  outcome:
    | Readonly<{ kind: 'running' }>
    | Readonly<{ kind: 'ended' }>
    | Readonly<{ kind: 'failed'; signal: Signal }>;
}>;

export type GateRule = Readonly<{ commitOn: 'first_output' | 'complete'; maxHeldChars: number }>;

/** FAILURES §4: more than this is committed rather than held. */
const MAX_HELD_CHARS = 256 * 1024;
/** With `commit_on: complete` the whole answer is held: bounded by what an answer of 128k tokens can weigh. */
const MAX_HELD_CHARS_COMPLETE = 8 * 1024 * 1024;

export const HOLDING: Holding = { kind: 'holding', held: null, heldChars: 0 };

const RUNNING = { kind: 'running' } as const;
const ENDED = { kind: 'ended' } as const;
const COMMITTED = { kind: 'committed' } as const;

export function gateRule(commitOn: GateRule['commitOn']): GateRule {
  return { commitOn, maxHeldChars: commitOn === 'complete' ? MAX_HELD_CHARS_COMPLETE : MAX_HELD_CHARS };
}

/** Passes a group of frames through the gate. After a failure nothing held is released: the caller has seen nothing of it. */
export function passGate(state: GateState, frames: readonly Frame[], rule: GateRule): GateStep {
  let current = state;
  let outcome: GateStep['outcome'] = RUNNING;
  const release: ChunkFrame[] = [];
  for (const frame of frames) {
    if (frame.kind === 'failure') {
      outcome = { kind: 'failed', signal: frame.signal };
      break;
    }
    if (current.kind === 'committed') {
      if (frame.kind === 'chunk') release.push(frame);
    } else {
      current = hold(current, frame, rule, release);
    }
    if (frame.kind === 'end') {
      outcome = ENDED;
      break;
    }
  }
  return { state: current, release, outcome };
}

function hold(
  state: Holding,
  frame: Exclude<Frame, { kind: 'failure' }>,
  rule: GateRule,
  release: ChunkFrame[],
): GateState {
  switch (frame.kind) {
    case 'end':
      releaseAll(state.held, release);
      return COMMITTED;
    case 'chunk': {
      const held = { frame, before: state.held };
      const heldChars = state.heldChars + frame.text.length;
      const decides = frame.weight === 'decisive' && rule.commitOn === 'first_output';
      if (!decides && heldChars <= rule.maxHeldChars) return { kind: 'holding', held, heldChars };
      releaseAll(held, release);
      return COMMITTED;
    }
    default:
      return assertNever(frame);
  }
}

/** One by one: a whole answer has more frames than a call can have arguments. */
function releaseAll(held: Held, release: ChunkFrame[]): void {
  const newestFirst: ChunkFrame[] = [];
  for (let rest = held; rest !== null; rest = rest.before) newestFirst.push(rest.frame);
  for (const frame of newestFirst.reverse()) release.push(frame);
}
