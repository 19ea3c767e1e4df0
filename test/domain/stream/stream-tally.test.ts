import type { Frame } from '../../../src/domain/stream/frame';
import { EMPTY_TALLY, tally } from '../../../src/domain/stream/stream-tally';
import { aChunk, aFailure, aFinish, aPreamble, aUsage, END } from '../../support/sample-frames';

const began: Frame = { ...aPreamble(), sideEffects: true };

describe('the tally of a stream', () => {
  it.each<{ name: string; frames: readonly Frame[]; expected: Partial<typeof EMPTY_TALLY> }>([
    { name: 'nothing adds nothing', frames: [], expected: EMPTY_TALLY },
    {
      name: 'an end and a failure add nothing',
      frames: [END, aFailure({ kind: 'truncated' })],
      expected: EMPTY_TALLY,
    },
    {
      name: 'characters of output are added up',
      frames: [aChunk('four'), aChunk('five5')],
      expected: { outputChars: 9 },
    },
    {
      name: 'a preamble adds no output',
      frames: [aPreamble('a long preamble')],
      expected: { outputChars: 0 },
    },
    {
      name: 'a finish reason is kept',
      frames: [aFinish('length'), aChunk('')],
      expected: { finishReason: 'length' },
    },
    {
      name: 'the last finish reason wins',
      frames: [aFinish('stop'), aFinish('tool_calls')],
      expected: { finishReason: 'tool_calls' },
    },
    {
      name: 'side effects are not forgotten',
      frames: [began, aChunk('later')],
      expected: { sideEffects: true },
    },
    {
      name: 'usage is cumulative',
      frames: [aChunk('', { usage: aUsage(580, 2) }), aChunk('', { usage: aUsage(580, 41) })],
      expected: { usage: aUsage(580, 41) },
    },
    {
      name: 'a chunk without usage keeps the earlier one',
      frames: [aChunk('', { usage: aUsage(580, 2) }), aChunk('')],
      expected: { usage: aUsage(580, 2) },
    },
  ])('$name', ({ frames, expected }) => {
    expect(tally(EMPTY_TALLY, frames)).toMatchObject(expected);
  });

  it('goes on from group to group', () => {
    const first = tally(EMPTY_TALLY, [began, aChunk('four', { usage: aUsage(10, 1) })]);
    const second = tally(first, [aChunk('four'), aFinish()]);

    expect(second).toMatchObject({
      usage: aUsage(10, 1),
      outputChars: 8,
      finishReason: 'stop',
      sideEffects: true,
    });
  });
});
