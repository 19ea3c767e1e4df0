import type { Attempt } from '../../../src/domain/interaction/attempt';
import type { Fault, FaultClass } from '../../../src/domain/resilience/fault';
import { canaryOutcomeOf } from '../../../src/domain/routing/canary-outcome';
import type { CanaryOutcome } from '../../../src/domain/routing/canary-outcome';
import { refusalOf } from '../../../src/domain/routing/gates';
import type { RefusalDetail } from '../../../src/domain/routing/refusal';
import { FAILED_ATTEMPT } from '../../support/sample-attempt';
import { aRoute } from '../../support/sample-catalog';
import { aFault } from '../../support/sample-situation';

const CANARY = { provider: 'mistral', model: 'mistral-s' };
const ON_CANARY = aRoute({ id: 'mi', ...CANARY });
const ELSEWHERE = aRoute({ id: 'oa' });

const served = (route = ON_CANARY): Attempt => ({
  ...FAILED_ATTEMPT,
  route,
  outcome: { kind: 'served', finishReason: 'stop' },
});
const failed = (fault: Partial<Fault>, route = ON_CANARY): Attempt => ({
  ...FAILED_ATTEMPT,
  route,
  outcome: { kind: 'failed', fault: aFault(fault) },
});

/** One row per fault class: what a provider does counts, what callers, models and we do doesn't. */
const CLASSES: Readonly<Record<FaultClass, CanaryOutcome>> = {
  caller: 'neutral',
  contract: 'neutral',
  credential: 'failed',
  rate_limited: 'failed',
  server_error: 'failed',
  timeout: 'failed',
  network: 'failed',
  malformed: 'failed',
  refusal: 'neutral',
  cancelled: 'neutral',
  partial: 'failed',
  ambiguous: 'neutral',
  local: 'neutral',
};

describe('what a request says of its canary', () => {
  it.each(Object.entries(CLASSES) as [FaultClass, CanaryOutcome][])(
    'after %s is %s',
    (faultClass, expected) => {
      expect(canaryOutcomeOf(CANARY, [failed({ class: faultClass, status: 400 })], [])).toBe(expected);
    },
  );

  it.each([
    { name: 'it served', ledger: [served()], expected: 'served' },
    { name: 'it served at the second attempt', ledger: [failed({}), served()], expected: 'served' },
    {
      name: 'it served on another channel',
      ledger: [failed({}), served(aRoute({ id: 'mi-2', ...CANARY }))],
      expected: 'served',
    },
    { name: 'another target had to serve', ledger: [failed({}), served(ELSEWHERE)], expected: 'failed' },
    {
      name: 'its model is not there',
      ledger: [failed({ class: 'contract', status: 404 })],
      expected: 'failed',
    },
    {
      name: 'the deadline was too short for it',
      ledger: [failed({ class: 'timeout', abortedBy: 'deadline' })],
      expected: 'neutral',
    },
    {
      name: 'it was too slow for the policy',
      ledger: [failed({ class: 'timeout', abortedBy: 'ttft_timeout' }), served(ELSEWHERE)],
      expected: 'failed',
    },
    { name: 'it was never asked', ledger: [], expected: 'neutral' },
  ])('when $name is $expected', ({ ledger, expected }) => {
    expect(canaryOutcomeOf(CANARY, ledger, [])).toBe(expected);
  });

  it.each([
    {
      reason: 'its circuit is open',
      detail: { reason: 'circuit_open', untilMs: 1 } as const,
      expected: 'failed',
    },
    { reason: 'it is throttled', detail: { reason: 'throttled', untilMs: 1 } as const, expected: 'failed' },
    { reason: 'it is switched off', detail: { reason: 'disabled' } as const, expected: 'neutral' },
  ])('when $reason is $expected', ({ detail, expected }: { detail: RefusalDetail; expected: string }) => {
    const refusals = [refusalOf(ON_CANARY, detail)];

    expect(canaryOutcomeOf(CANARY, [served(ELSEWHERE)], refusals)).toBe(expected);
  });

  it('is nothing when somebody else’s circuit is open', () => {
    const refusals = [refusalOf(ELSEWHERE, { reason: 'circuit_open', untilMs: 1 })];

    expect(canaryOutcomeOf(CANARY, [], refusals)).toBe('neutral');
  });
});
