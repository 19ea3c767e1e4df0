import type { GatewayError } from '../../../../src/domain/error/gateway-error';
import type { Attempt } from '../../../../src/domain/interaction/attempt';
import { presentError } from '../../../../src/delivery/http/error/error-presenter';
import { FAILED_ATTEMPT } from '../../../support/sample-attempt';

const PROVIDER_FAILED: GatewayError = {
  code: 'provider_failed',
  message: 'All failed.',
  retryAfterMs: null,
  refusals: [],
};

describe('retry advice', () => {
  const limited = (retryAfterMs: number | null): GatewayError => ({
    code: 'rate_limit_exceeded',
    retryAfterMs,
    refusals: [],
  });

  it.each<[string, GatewayError, readonly Attempt[], object]>([
    ['rounds seconds up', limited(1_001), [], { 'retry-after': '2', 'retry-after-ms': '1001' }],
    ['never names a negative wait', limited(-5), [], { 'retry-after': '0', 'retry-after-ms': '0' }],
    ['says nothing where no wait is known', limited(null), [], {}],
    [
      'leaves a wait of 60 s to the client',
      limited(60_000),
      [],
      { 'retry-after': '60', 'retry-after-ms': '60000' },
    ],
    [
      'stops the client above 60 s',
      limited(60_001),
      [],
      { 'retry-after': '61', 'retry-after-ms': '60001', 'x-should-retry': 'false' },
    ],
    [
      'stops the client after attempts',
      limited(10),
      [FAILED_ATTEMPT],
      { 'retry-after': '1', 'retry-after-ms': '10', 'x-should-retry': 'false' },
    ],
    [
      'asks for a repeat while a twin runs',
      { code: 'idempotency_in_progress', retryAfterMs: 500 },
      [],
      { 'retry-after': '1', 'retry-after-ms': '500', 'x-should-retry': 'true' },
    ],
    ['stops the client after a provider’s failure', PROVIDER_FAILED, [], { 'x-should-retry': 'false' }],
    [
      'stops the client after a timeout',
      { code: 'provider_timeout', message: 'm', refusals: [] },
      [],
      { 'x-should-retry': 'false' },
    ],
    [
      'names a wait for our own outage',
      { code: 'audit_unavailable' },
      [],
      { 'retry-after': '1', 'retry-after-ms': '1000' },
    ],
    [
      'names a wait during a shutdown',
      { code: 'shutting_down' },
      [],
      { 'retry-after': '1', 'retry-after-ms': '1000' },
    ],
    [
      'stops the client after a defect that followed attempts',
      { code: 'gateway_error' },
      [FAILED_ATTEMPT],
      { 'x-should-retry': 'false' },
    ],
    ['challenges a bad key', { code: 'invalid_api_key', message: 'm' }, [], { 'www-authenticate': 'Bearer' }],
  ])('%s', (_case, error, attempts, headers) => {
    expect(presentError(error, { requestId: 'req_1', attempts }).headers).toEqual(headers);
  });
});
