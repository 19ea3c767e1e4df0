import { healthOutcomeOf } from '../../../src/domain/health/health-outcome';
import type { Fault, FaultClass } from '../../../src/domain/resilience/fault';
import type { AbortCause } from '../../../src/domain/resilience/signal';

function fault(given: Partial<Fault>): Fault {
  return {
    class: 'server_error',
    stage: 'before_headers',
    code: null,
    status: null,
    retryAfterMs: null,
    retryable: true,
    accountEvidence: false,
    requestSent: 'yes',
    abortedBy: null,
    providerError: null,
    param: null,
    ...given,
  };
}

describe('health outcome', () => {
  it('is a success without a fault', () => {
    expect(healthOutcomeOf(null)).toBe('success');
  });

  it.each<{ class: FaultClass; outcome: string }>([
    { class: 'caller', outcome: 'neutral' },
    { class: 'contract', outcome: 'neutral' },
    { class: 'credential', outcome: 'failure' },
    { class: 'rate_limited', outcome: 'neutral' },
    { class: 'server_error', outcome: 'failure' },
    { class: 'timeout', outcome: 'failure' },
    { class: 'network', outcome: 'failure' },
    { class: 'malformed', outcome: 'failure' },
    { class: 'refusal', outcome: 'neutral' },
    { class: 'cancelled', outcome: 'neutral' },
    { class: 'partial', outcome: 'failure' },
    { class: 'ambiguous', outcome: 'neutral' },
    { class: 'local', outcome: 'neutral' },
  ])('of a $class fault is $outcome', ({ class: faultClass, outcome }) => {
    expect(healthOutcomeOf(fault({ class: faultClass }))).toBe(outcome);
  });

  it('of a credential fault with structured evidence is an account fault', () => {
    expect(healthOutcomeOf(fault({ class: 'credential', accountEvidence: true }))).toBe('account_fault');
  });

  it.each<{ by: AbortCause; class: FaultClass; outcome: string }>([
    { by: 'headers_timeout', class: 'timeout', outcome: 'failure' },
    { by: 'idle_timeout', class: 'partial', outcome: 'failure' },
    { by: 'deadline', class: 'timeout', outcome: 'neutral' },
    { by: 'deadline', class: 'partial', outcome: 'neutral' },
    { by: 'ttft_timeout', class: 'timeout', outcome: 'neutral' },
    { by: 'write_stalled', class: 'partial', outcome: 'neutral' },
    { by: 'caller_gone', class: 'cancelled', outcome: 'neutral' },
    { by: 'shutdown', class: 'partial', outcome: 'neutral' },
  ])('of a $class fault after our own abort by $by is $outcome', ({ by, class: faultClass, outcome }) => {
    expect(healthOutcomeOf(fault({ class: faultClass, abortedBy: by }))).toBe(outcome);
  });
});
