import type { Attempt } from '../../src/domain/interaction/attempt';
import { NO_USAGE } from '../../src/domain/interaction/usage';
import { aRoute } from './sample-catalog';

/** A first attempt that met an overloaded provider. */
export const FAILED_ATTEMPT: Attempt = {
  number: 1,
  action: 'initial',
  route: aRoute(),
  startedAtMs: 1_000,
  backoffMs: 0,
  trial: false,
  headersAtMs: 1_200,
  firstOutputAtMs: null,
  endedAtMs: 1_300,
  status: 503,
  upstreamRequestId: 'up-1',
  outcome: {
    kind: 'failed',
    fault: {
      class: 'server_error',
      stage: 'before_output',
      code: 'overloaded',
      status: 503,
      retryAfterMs: 700,
      retryable: true,
      accountEvidence: false,
      requestSent: 'yes',
      abortedBy: null,
      providerError: null,
      param: null,
    },
  },
  usage: NO_USAGE,
  costPico: null,
  ignoredParams: [],
};
