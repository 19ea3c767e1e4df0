import * as fc from 'fast-check';
import type { ChunkFrame, Frame } from '../../../src/domain/stream/frame';
import { gateRule, HOLDING, passGate } from '../../../src/domain/stream/stream-gate';
import type { GateRule, GateState, GateStep } from '../../../src/domain/stream/stream-gate';
import { aChunk, aFailure, aFinish, aPreamble, END } from '../../support/sample-frames';

const FIRST_OUTPUT = gateRule('first_output');
const COMPLETE = gateRule('complete');
const TRUNCATED = aFailure({ kind: 'truncated' });
const RUNNING = { kind: 'running' };
const ENDED = { kind: 'ended' };
const FAILED = { kind: 'failed', signal: { kind: 'truncated' } };

const role = aPreamble('role');
const ping = aPreamble('ping');
const word = aChunk('word');

/** Passes groups one after the other: the text that was released, and the last step. */
function pass(
  groups: readonly (readonly Frame[])[],
  rule: GateRule,
): Readonly<{ text: string; last: GateStep }> {
  let state: GateState = HOLDING;
  let text = '';
  let last: GateStep = { state, release: [], outcome: { kind: 'running' } };
  for (const group of groups) {
    last = passGate(state, group, rule);
    state = last.state;
    text += textOf(last.release);
  }
  return { text, last };
}

function textOf(frames: readonly ChunkFrame[]): string {
  return frames.map((frame) => frame.text).join('|');
}

describe('the stream gate, with a commit on the first output', () => {
  it.each([
    { name: 'holds a neutral frame', frames: [role], released: '', state: 'holding', outcome: RUNNING },
    {
      name: 'holds neutral frames however many',
      frames: [role, ping, ping],
      released: '',
      state: 'holding',
      outcome: RUNNING,
    },
    {
      name: 'commits on a decisive frame',
      frames: [word],
      released: 'word',
      state: 'committed',
      outcome: RUNNING,
    },
    {
      name: 'releases what it held, in order, on the decisive frame',
      frames: [role, ping, word],
      released: 'role|ping|word',
      state: 'committed',
      outcome: RUNNING,
    },
    {
      name: 'relays everything after it, neutral or not',
      frames: [word, ping, word],
      released: 'word|ping|word',
      state: 'committed',
      outcome: RUNNING,
    },
    {
      name: 'takes a finish reason alone for an answer',
      frames: [role, aFinish('length')],
      released: 'role|<length>',
      state: 'committed',
      outcome: RUNNING,
    },
    {
      name: 'releases what it held at the end of a rightly empty answer',
      frames: [role, END],
      released: 'role',
      state: 'committed',
      outcome: ENDED,
    },
    {
      name: 'takes an end of nothing for an end',
      frames: [END],
      released: '',
      state: 'committed',
      outcome: ENDED,
    },
    {
      name: 'releases nothing on a failure before anything decisive',
      frames: [role, ping, TRUNCATED],
      released: '',
      state: 'holding',
      outcome: FAILED,
    },
    {
      name: 'fails on the first frame',
      frames: [TRUNCATED],
      released: '',
      state: 'holding',
      outcome: FAILED,
    },
    {
      name: 'releases what came before a failure once committed',
      frames: [role, word, TRUNCATED],
      released: 'role|word',
      state: 'committed',
      outcome: FAILED,
    },
    {
      name: 'lets nothing through behind a failure',
      frames: [word, TRUNCATED, word, END],
      released: 'word',
      state: 'committed',
      outcome: FAILED,
    },
    {
      name: 'lets nothing through behind the end',
      frames: [word, END, word],
      released: 'word',
      state: 'committed',
      outcome: ENDED,
    },
    {
      name: 'lets no failure behind the end undo the answer',
      frames: [word, aFinish(), END, TRUNCATED],
      released: 'word|<stop>',
      state: 'committed',
      outcome: ENDED,
    },
    {
      name: 'leaves an empty group without effect',
      frames: [],
      released: '',
      state: 'holding',
      outcome: RUNNING,
    },
  ])('$name', ({ frames, released, state, outcome }) => {
    const step = passGate(HOLDING, frames, FIRST_OUTPUT);

    expect(textOf(step.release)).toBe(released);
    expect(step.state.kind).toBe(state);
    expect(step.outcome).toEqual(outcome);
  });

  it.each([
    {
      name: 'a failure in a later group discards what earlier groups held',
      groups: [[role], [ping], [TRUNCATED]],
      text: '',
      outcome: FAILED,
    },
    {
      name: 'a decisive frame in a later group releases what earlier groups held',
      groups: [[role], [ping], [word]],
      text: 'role|ping|word',
      outcome: RUNNING,
    },
    {
      name: 'a failure after the commit keeps what was said',
      groups: [[word], [TRUNCATED]],
      text: 'word',
      outcome: FAILED,
    },
    { name: 'an end after the commit adds nothing', groups: [[word], [END]], text: 'word', outcome: ENDED },
  ])('$name', ({ groups, text, outcome }) => {
    const passed = pass(groups, FIRST_OUTPUT);

    expect(passed.text).toBe(text);
    expect(passed.last.outcome).toEqual(outcome);
  });
});

describe('the stream gate, with the whole answer held', () => {
  it.each([
    {
      name: 'holds decisive frames',
      groups: [[role, word], [word]],
      text: '',
      state: 'holding',
      outcome: RUNNING,
    },
    {
      name: 'holds a finish reason',
      groups: [[word], [aFinish()]],
      text: '',
      state: 'holding',
      outcome: RUNNING,
    },
    {
      name: 'releases everything at the end',
      groups: [[role, word], [aFinish()], [END]],
      text: 'role|word|<stop>',
      state: 'committed',
      outcome: ENDED,
    },
    {
      name: 'discards everything on a break',
      groups: [
        [role, word],
        [word, TRUNCATED],
      ],
      text: '',
      state: 'holding',
      outcome: FAILED,
    },
  ])('$name', ({ groups, text, state, outcome }) => {
    const passed = pass(groups, COMPLETE);

    expect(passed.text).toBe(text);
    expect(passed.last.state.kind).toBe(state);
    expect(passed.last.outcome).toEqual(outcome);
  });
});

describe('the bound of what the gate holds', () => {
  it.each([
    { name: 'a commit on the first output holds 256 KiB', rule: FIRST_OUTPUT, chars: 262_144 },
    { name: 'a whole answer may be 8 MiB', rule: COMPLETE, chars: 8_388_608 },
  ])('$name, and not a character more', ({ rule, chars }) => {
    const full = passGate(HOLDING, [aPreamble('x'.repeat(chars - 1)), aPreamble('y')], rule);
    const over = passGate(full.state, [aPreamble('z')], rule);

    expect(full.state).toMatchObject({ kind: 'holding', heldChars: chars });
    expect(full.release).toEqual([]);
    expect(over.state.kind).toBe('committed');
    expect(over.release.map(({ text }) => text.length)).toEqual([chars - 1, 1, 1]);
  });

  it('commits to a single frame that is too large', () => {
    const step = passGate(HOLDING, [aPreamble('x'.repeat(262_145))], FIRST_OUTPUT);

    expect(step.state.kind).toBe('committed');
    expect(step.release).toHaveLength(1);
  });

  it('releases more frames than a call can have arguments', () => {
    const many = Array.from({ length: 200_000 }, () => aPreamble('x'));

    const step = passGate(passGate(HOLDING, many, COMPLETE).state, [END], COMPLETE);

    expect(step.release).toHaveLength(200_000);
  });
});

describe('any stream through the gate', () => {
  const frame = fc.constantFrom<Frame>(role, ping, word, aFinish(), END, TRUNCATED);
  const groups = fc.array(fc.array(frame, { maxLength: 4 }), { maxLength: 8 });
  const rule = fc.constantFrom(FIRST_OUTPUT, COMPLETE, {
    commitOn: 'first_output',
    maxHeldChars: 6,
  } as const);

  /** What a stream says until its first end or failure. */
  function spoken(all: readonly Frame[]): readonly Frame[] {
    const over = all.findIndex(({ kind }) => kind !== 'chunk');
    return all.slice(0, over === -1 ? all.length : over);
  }

  it('releases the frames in their order, each once, or none of them', () => {
    fc.assert(
      fc.property(groups, rule, (arrived, given) => {
        let state: GateState = HOLDING;
        const released: Frame[] = [];
        const passed: Frame[] = [];
        for (const group of arrived) {
          const step = passGate(state, group, given);
          released.push(...step.release);
          passed.push(...group);
          if (step.outcome.kind === 'ended') expect(released).toEqual(spoken(passed));
          if (step.state.kind === 'holding') expect(released).toEqual([]);
          else expect(released).toEqual(spoken(passed));
          if (step.outcome.kind !== 'running') return;
          state = step.state;
        }
      }),
    );
  });
});
