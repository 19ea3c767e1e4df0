import { callsForRollback, canaryTarget, placeOf } from '../../../src/domain/routing/canary';
import type { Canary } from '../../../src/domain/routing/canary';

const RULE = { errorRate: 0.2, minRequests: 20 };
const TARGET = { provider: 'mistral', model: 'mistral-s' };

function canary(percent: number): Canary {
  return { target: TARGET, percent, stickyBy: 'user', rollbackOn: RULE };
}

describe('canary', () => {
  it.each([
    { percent: 0, place: 0, drawn: false },
    { percent: 5, place: 0.0499, drawn: true },
    { percent: 5, place: 0.05, drawn: false },
    { percent: 0.5, place: 0.0049, drawn: true },
    { percent: 100, place: 0.999_999, drawn: true },
  ])('of $percent percent draws a request at $place: $drawn', ({ percent, place, drawn }) => {
    expect(canaryTarget(canary(percent), place)).toEqual(drawn ? TARGET : null);
  });

  const caller = { user: 'ann', apiKey: 'key_1', draw: 0.7 };

  it('sticks to nothing by request', () => {
    expect(placeOf('request', caller, 'main')).toBe(0.7);
  });

  it.each([
    { name: 'the same user, whatever the chance', by: 'user' as const, other: { draw: 0.1 }, same: true },
    { name: 'another user', by: 'user' as const, other: { user: 'ben' }, same: false },
    { name: 'no user at all', by: 'user' as const, other: { user: null }, same: false },
    {
      name: 'the same user name behind another key',
      by: 'user' as const,
      other: { apiKey: 'key_2' },
      same: false,
    },
    {
      name: 'the same key, whoever the user',
      by: 'key' as const,
      other: { user: 'ben', draw: 0 },
      same: true,
    },
    { name: 'another key', by: 'key' as const, other: { apiKey: 'key_2' }, same: false },
  ])('by $by keeps $name on one place: $same', ({ by, other, same }) => {
    expect(placeOf(by, { ...caller, ...other }, 'main') === placeOf(by, caller, 'main')).toBe(same);
  });

  it('of another policy falls upon other callers', () => {
    expect(placeOf('user', caller, 'other')).not.toBe(placeOf('user', caller, 'main'));
  });

  it.each([
    { name: 'too few requests to tell', requests: 19, failures: 19, expected: false },
    { name: 'just less than the error rate', requests: 20, failures: 3, expected: false },
    { name: 'exactly the error rate', requests: 20, failures: 4, expected: true },
    { name: 'more than the error rate', requests: 20, failures: 5, expected: true },
    { name: 'no failures', requests: 500, failures: 0, expected: false },
  ])('is taken back upon $name: $expected', ({ requests, failures, expected }) => {
    expect(callsForRollback(RULE, { requests, failures })).toBe(expected);
  });
});
