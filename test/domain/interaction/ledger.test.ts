import type { Attempt } from '../../../src/domain/interaction/attempt';
import { append, EMPTY_LEDGER, lastAttempt } from '../../../src/domain/interaction/ledger';
import { NO_USAGE } from '../../../src/domain/interaction/usage';
import { aRoute } from '../../support/sample-catalog';

function attempt(number: number): Attempt {
  return {
    number,
    action: number === 1 ? 'initial' : 'retry',
    route: aRoute(),
    startedAtMs: 0,
    backoffMs: 0,
    trial: false,
    headersAtMs: null,
    firstOutputAtMs: null,
    endedAtMs: 1,
    status: 200,
    upstreamRequestId: null,
    outcome: { kind: 'served', finishReason: 'stop' },
    usage: NO_USAGE,
    costPico: null,
    ignoredParams: [],
  };
}

describe('ledger', () => {
  it('has no last attempt while it is empty', () => {
    expect(lastAttempt(EMPTY_LEDGER)).toBeUndefined();
  });

  it('grows by one attempt and leaves the earlier ledger as it was', () => {
    const one = append(EMPTY_LEDGER, attempt(1));
    const two = append(one, attempt(2));

    expect(one.map(({ number }) => number)).toEqual([1]);
    expect(two.map(({ number }) => number)).toEqual([1, 2]);
    expect(lastAttempt(two)?.number).toBe(2);
  });
});
