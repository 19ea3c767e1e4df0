import type { Fault } from '../../../src/domain/resilience/fault';
import { mayReplay, replaySafetyOf } from '../../../src/domain/resilience/replay-safety';
import type { ReplaySafety } from '../../../src/domain/resilience/replay-safety';
import { aFault } from '../../support/sample-situation';

describe('replay safety', () => {
  it.each([
    [false, false, 'until_output'],
    [true, false, 'never'],
    [false, true, 'never'],
    [true, true, 'never'],
  ])(
    'with tools of the provider: %s, forbidden: %s, it is %s',
    (runsProviderTools, callerForbids, expected) => {
      expect(replaySafetyOf({ runsProviderTools, callerForbids })).toBe(expected);
    },
  );

  it.each<[ReplaySafety, Fault['stage'], Fault['requestSent'], boolean]>([
    ['until_output', 'before_headers', 'yes', true],
    ['until_output', 'before_output', 'yes', true],
    ['until_output', 'after_output', 'yes', false],
    ['never', 'before_headers', 'no', true],
    ['never', 'before_headers', 'maybe', false],
    ['never', 'before_headers', 'yes', false],
    ['never', 'before_output', 'yes', false],
  ])('%s, %s, sent: %s: another attempt %s', (safety, stage, requestSent, expected) => {
    expect(mayReplay(safety, aFault({ stage, requestSent }))).toBe(expected);
  });
});
