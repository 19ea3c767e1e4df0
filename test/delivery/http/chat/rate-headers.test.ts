import * as fc from 'fast-check';
import { durationOf } from '../../../../src/delivery/http/chat/rate-headers';
import { quotaWaitMs } from '../../../../src/infra/provider/transport/quota-wait';

describe('a duration', () => {
  it.each([
    [1, '1ms'],
    [999, '999ms'],
    [1_000, '1s'],
    [8_640, '8.64s'],
    [59_999, '59.999s'],
    [60_000, '1m0s'],
    [360_000, '6m0s'],
  ])('of %i ms is written as OpenAI writes it: %s', (ms, written) => {
    expect(durationOf(ms)).toBe(written);
  });

  it('is understood by whoever reads OpenAI’s', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_600_000 }), (ms) => {
        const headers = {
          'x-ratelimit-remaining-requests': '0',
          'x-ratelimit-reset-requests': durationOf(ms),
        };

        expect(quotaWaitMs(headers, 0)).toBe(ms);
      }),
    );
  });
});
