import type { RouteCondition } from '../../../src/domain/health/provider-health';
import { mergeRefusals, nextAction } from '../../../src/domain/resilience/next-action';
import type { NextAction, Situation } from '../../../src/domain/resilience/next-action';
import type { Fault } from '../../../src/domain/resilience/fault';
import type { Attempt } from '../../../src/domain/interaction/attempt';
import { refusalOf } from '../../../src/domain/routing/gates';
import type { PlannedRoute } from '../../../src/domain/routing/planned-route';
import { DEFAULT_SETTINGS } from '../../../src/domain/routing/policy-settings';
import { conditions } from '../../support/sample-catalog';
import {
  anAttempt,
  aPlan,
  aSituation,
  CHANNEL,
  failedAt,
  MODEL,
  NOW_MS,
  PRIMARY,
} from '../../support/sample-situation';

const NO_RETRY = { retry: { ...DEFAULT_SETTINGS.retry, maxRetries: 0, maxRetriesBeforeFallback: 0 } };
const SAID = { message: 'no', type: 'invalid_request_error', code: 'bad', param: 'n' };

function after(ledger: readonly Attempt[], given: Partial<Situation> = {}): NextAction {
  return nextAction(aSituation({ plan: aPlan([PRIMARY], NO_RETRY), ledger, ...given }));
}

function health(named: Readonly<Record<string, Partial<RouteCondition>>>): Partial<Situation> {
  return { conditions: conditions(named, NOW_MS) };
}

describe('ending', () => {
  type Row = readonly [name: string, fault: Partial<Fault>, state: string, error: object | null];

  // prettier-ignore
  const ROWS: readonly Row[] = [
    ['caller', { class: 'caller', status: 422, providerError: SAID }, 'failed', { code: 'provider_error_returned', status: 422, error: SAID }],
    ['contract', { class: 'contract', status: 413 }, 'failed', { code: 'provider_error_returned', status: 413, error: { message: 'The provider answered with HTTP status 413 and no message.' } }],
    ['a contract fault inside a 200', { class: 'contract', status: 200, providerError: SAID }, 'failed', { code: 'provider_error_returned', status: 400 }],
    ['refusal', { class: 'refusal', status: 400, providerError: SAID }, 'served', { code: 'provider_error_returned', status: 400, error: SAID }],
    ['late refusal', { class: 'refusal', stage: 'after_output', status: 400, providerError: SAID }, 'served', { code: 'provider_error_returned' }],
    ['credential', { class: 'credential', status: 401 }, 'failed', { code: 'provider_failed', message: "The gateway's account at the provider openai failed (credential, status 401); 1 attempt was made." }],
    ['rate limited', { class: 'rate_limited', status: 429, retryAfterMs: 90_000 }, 'failed', { code: 'rate_limit_exceeded', retryAfterMs: 90_000, refusals: [] }],
    ['rate limited without a wait', { class: 'rate_limited', status: 429 }, 'failed', { code: 'rate_limit_exceeded', retryAfterMs: null }],
    ['server error', {}, 'failed', { code: 'provider_failed', message: 'The provider openai failed (server_error, status 503); 1 attempt was made.', retryAfterMs: null }],
    ['network', { class: 'network', status: null }, 'failed', { code: 'provider_failed', message: 'The connection to the provider openai failed (network); 1 attempt was made.' }],
    ['timeout', { class: 'timeout', status: null }, 'failed', { code: 'provider_timeout', message: 'The provider openai did not answer in time (timeout); 1 attempt was made.' }],
    ['malformed', { class: 'malformed', status: 200 }, 'failed', { code: 'provider_malformed', message: 'The answer of the provider openai could not be understood (malformed, status 200); 1 attempt was made.' }],
    ['a tool call that the model spoilt', { class: 'malformed', code: 'tool_use_failed', status: 400, providerError: SAID }, 'failed', { code: 'provider_error_returned', status: 400, error: SAID }],
    ['local with a field', { class: 'local', requestSent: 'no', param: 'audio' }, 'failed', { code: 'invalid_request_error', reason: 'unsupported_parameter', param: 'audio' }],
    ['local with a value', { class: 'local', requestSent: 'no', param: 'tool_choice' }, 'failed', { code: 'invalid_request_error', reason: 'unsupported_value', param: 'tool_choice' }],
    ['local without a field', { class: 'local', requestSent: 'no', code: 'defect' }, 'failed', { code: 'gateway_error' }],
    ['our defect in a running answer', { class: 'local', stage: 'after_output', param: 'audio' }, 'partial', { code: 'gateway_error' }],
    ['a request that we found to be wrong', { class: 'caller', status: 400, requestSent: 'no', param: 'n', providerError: SAID }, 'failed', { code: 'invalid_request_error', reason: 'invalid_value', param: 'n', message: 'no' }],
    ['caller gone', { class: 'cancelled', abortedBy: 'caller_gone' }, 'cancelled', null],
    ['caller gone after output', { class: 'cancelled', abortedBy: 'caller_gone', stage: 'after_output' }, 'cancelled', null],
    ['shutdown', { class: 'cancelled', abortedBy: 'shutdown' }, 'failed', { code: 'shutting_down' }],
    ['shutdown after output', { class: 'cancelled', abortedBy: 'shutdown', stage: 'after_output' }, 'partial', { code: 'shutting_down' }],
    ['partial', { class: 'partial', stage: 'after_output', status: null }, 'partial', { code: 'provider_failed', message: 'The answer of the provider openai broke off (partial); 1 attempt was made.' }],
    ['partial by time', { class: 'partial', stage: 'after_output', abortedBy: 'idle_timeout' }, 'partial', { code: 'provider_timeout' }],
    ['ambiguous', { class: 'ambiguous', stage: 'before_output' }, 'failed', { code: 'provider_failed' }],
    ['ambiguous after output', { class: 'ambiguous', stage: 'after_output' }, 'partial', { code: 'provider_failed' }],
  ];

  it.each(ROWS)('%s', (_name, fault, state, error) => {
    const action = after([failedAt(PRIMARY, fault)]);

    expect(action).toMatchObject({ kind: 'stop', state, error });
  });

  it('is served after an answer', () => {
    const served = anAttempt({ route: PRIMARY.route, outcome: { kind: 'served', finishReason: 'stop' } });

    expect(after([served])).toEqual({ kind: 'stop', state: 'served', error: null, refusals: [] });
  });

  it('counts every upstream call, and none that was never made', () => {
    const action = after([
      failedAt(PRIMARY),
      failedAt(PRIMARY),
      failedAt(CHANNEL, { class: 'local', requestSent: 'no' }),
    ]);

    expect(action).toMatchObject({
      error: { message: 'The provider openai failed (server_error, status 503); 2 attempts were made.' },
    });
  });

  it('names the field of the first route that could tell it', () => {
    const unsent = { class: 'local', requestSent: 'no' } as const;

    const action = after([failedAt(PRIMARY, { ...unsent, param: 'audio' }), failedAt(CHANNEL, unsent)]);

    expect(action).toMatchObject({ error: { code: 'invalid_request_error', param: 'audio' } });
  });

  describe('when rate-limited', () => {
    const limited = { class: 'rate_limited', status: 429 } as const;
    const plan = aPlan([PRIMARY, MODEL], NO_RETRY);

    it('is a 429 with the shortest wait when every route was', () => {
      const ledger = [
        failedAt(PRIMARY, { ...limited, retryAfterMs: 90_000 }),
        failedAt(MODEL, { ...limited, retryAfterMs: 70_000 }),
      ];

      expect(after(ledger, { plan })).toMatchObject({
        error: { code: 'rate_limit_exceeded', retryAfterMs: 70_000 },
      });
    });

    it('is no 429 when another route failed', () => {
      const ledger = [
        failedAt(PRIMARY, { class: 'credential' }),
        failedAt(MODEL, { ...limited, retryAfterMs: 70_000 }),
      ];

      expect(after(ledger, { plan })).toMatchObject({
        error: { code: 'provider_failed', retryAfterMs: 70_000 },
      });
    });

    it('never names a wait of less than a millisecond', () => {
      const past = { ...failedAt(PRIMARY, { ...limited, retryAfterMs: 5 }), endedAtMs: NOW_MS - 1_000 };

      expect(after([past])).toMatchObject({ error: { retryAfterMs: 1 } });
    });
  });

  describe('when no provider was asked', () => {
    const trialTaken = true;

    it('tells others how long the circuit stays open', () => {
      const circuit = { state: 'open', untilMs: NOW_MS + 30_000, trialTaken } as const;

      const action = after([], health({ 'oa-1': { circuit } }));

      expect(action).toEqual({
        kind: 'stop',
        state: 'refused',
        error: { code: 'no_eligible_route', retryAfterMs: 30_000, refusals: action.refusals },
        refusals: [refusalOf(PRIMARY.route, { reason: 'circuit_open', untilMs: NOW_MS + 30_000 })],
      });
    });

    it('tells others to come back soon while a trial runs', () => {
      const action = after([], health({ 'oa-1': { circuit: { state: 'half_open', trialTaken } } }));

      expect(action).toMatchObject({ error: { code: 'no_eligible_route', retryAfterMs: 1_000 } });
    });

    it('tells when a throttle or a full group is over', () => {
      const full = refusalOf(CHANNEL.route, { reason: 'group_rpm', group: 'g', retryAfterMs: 80_000 });
      const plan = aPlan([PRIMARY, { ...CHANNEL, refusal: full }]);

      const action = after([], { plan, ...health({ 'oa-1': { throttledUntilMs: NOW_MS + 90_000 } }) });

      expect(action).toMatchObject({ error: { code: 'rate_limit_exceeded', retryAfterMs: 80_000 } });
    });

    it('names the field and the reason of a contract mismatch', () => {
      const detail = { reason: 'contract_mismatch', param: 'tools', message: 'tools not supported' } as const;
      const plan = aPlan([{ ...PRIMARY, refusal: refusalOf(PRIMARY.route, detail) }]);

      expect(after([], { plan })).toMatchObject({
        error: {
          code: 'invalid_request_error',
          reason: 'unsupported_parameter',
          param: 'tools',
          message: 'No eligible route can do what tools asks for: tools not supported.',
        },
      });
    });
  });

  describe('when every possible fallback is too dear', () => {
    const dear: PlannedRoute = {
      ...MODEL,
      refusal: refusalOf(MODEL.route, { reason: 'cost_unknown', of: 'fallback' }),
    };
    const plan = aPlan([PRIMARY, dear]);

    it('retries the primary only as often as before a fallback', () => {
      expect(after([failedAt(PRIMARY)], { plan })).toMatchObject({ kind: 'attempt', action: 'retry' });
      expect(after([failedAt(PRIMARY), failedAt(PRIMARY)], { plan })).toMatchObject({
        state: 'failed',
        error: { code: 'fallback_cost_ceiling', refusals: [dear.refusal] },
      });
    });

    it('says so even if the primary is rate-limited', () => {
      const limited = failedAt(PRIMARY, { class: 'rate_limited', retryAfterMs: 90_000 });

      expect(after([limited], { plan })).toMatchObject({ error: { code: 'fallback_cost_ceiling' } });
    });

    it('does not say so when the fault wanted no fallback', () => {
      const refusedRequest = failedAt(PRIMARY, { class: 'caller', status: 400 });

      expect(after([refusedRequest], { plan })).toMatchObject({ error: { code: 'provider_error_returned' } });
    });

    it('does not say so when a fallback was tried', () => {
      const ledger = [failedAt(PRIMARY, { class: 'credential' }), failedAt(CHANNEL, { class: 'credential' })];

      expect(after(ledger, { plan })).toMatchObject({ error: { code: 'provider_failed' } });
    });

    it('does not say so when another one is only closed', () => {
      const open = health({ 'oa-2': { circuit: { state: 'open', untilMs: NOW_MS + 9, trialTaken: false } } });

      const action = after([failedAt(PRIMARY, { class: 'credential' })], {
        plan: aPlan([PRIMARY, CHANNEL, dear]),
        ...open,
      });

      expect(action).toMatchObject({ error: { code: 'provider_failed' } });
    });
  });
});

describe('refusals of a next action', () => {
  const planned = refusalOf(MODEL.route, { reason: 'disabled' });
  const newer = refusalOf(MODEL.route, { reason: 'throttled', untilMs: NOW_MS + 5 });
  const other = refusalOf(CHANNEL.route, { reason: 'disabled' });

  it('are one per route, the newest wins', () => {
    expect(mergeRefusals([planned, other], [newer])).toEqual([newer, other]);
  });

  it('keep those of planning', () => {
    const plan = { ...aPlan([PRIMARY]), refusals: [planned] };

    expect(nextAction(aSituation({ plan })).refusals).toEqual([planned]);
  });

  it('tell which opt-in was missing', () => {
    const plan = aPlan([PRIMARY, MODEL], { ...NO_RETRY, failoverOn: ['timeout'] });

    const action = after([failedAt(PRIMARY)], { plan });

    expect(action.refusals).toEqual([
      refusalOf(MODEL.route, { reason: 'not_opted_in', missing: 'failover_on' }),
    ]);
  });

  it('tell which routes were passed over', () => {
    const plan = aPlan([PRIMARY, CHANNEL, MODEL], NO_RETRY);

    const action = after([failedAt(PRIMARY)], {
      plan,
      ...health({ 'oa-2': { throttledUntilMs: NOW_MS + 5 } }),
    });

    expect(action.refusals).toEqual([refusalOf(CHANNEL.route, { reason: 'throttled', untilMs: NOW_MS + 5 })]);
  });

  it.each([
    ['audio', 'audio'],
    [null, 'request'],
  ])('tell that a route could not express %s', (param, named) => {
    const action = after([failedAt(PRIMARY, { class: 'local', requestSent: 'no', param })]);

    expect(action.refusals).toEqual([
      refusalOf(PRIMARY.route, {
        reason: 'contract_mismatch',
        param: named,
        message: 'the route can not express it',
      }),
    ]);
  });
});
