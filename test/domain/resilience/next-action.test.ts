import type { RouteCondition } from '../../../src/domain/health/provider-health';
import type { Attempt } from '../../../src/domain/interaction/attempt';
import type { Fault } from '../../../src/domain/resilience/fault';
import { nextAction } from '../../../src/domain/resilience/next-action';
import type { Situation } from '../../../src/domain/resilience/next-action';
import { refusalOf } from '../../../src/domain/routing/gates';
import type { PlannedRoute } from '../../../src/domain/routing/planned-route';
import { DEFAULT_SETTINGS } from '../../../src/domain/routing/policy-settings';
import type { PolicySettings } from '../../../src/domain/routing/policy-settings';
import type { RefusalDetail } from '../../../src/domain/routing/refusal';
import { conditions } from '../../support/sample-catalog';
import {
  ABROAD,
  aPlan,
  aSituation,
  candidate,
  CHANNEL,
  failedAt,
  MODEL,
  NOW_MS,
  PRIMARY,
  routeAt,
  SMALL_MODEL,
  told,
} from '../../support/sample-situation';

const OPEN: Partial<RouteCondition> = {
  circuit: { state: 'open', untilMs: NOW_MS + 30_000, trialTaken: false },
};
const OPEN_TAKEN: Partial<RouteCondition> = {
  circuit: { state: 'open', untilMs: NOW_MS + 30_000, trialTaken: true },
};
const HALF_OPEN: Partial<RouteCondition> = { circuit: { state: 'half_open', trialTaken: false } };
const HALF_OPEN_TAKEN: Partial<RouteCondition> = { circuit: { state: 'half_open', trialTaken: true } };
const throttledFor = (delayMs: number): Partial<RouteCondition> => ({ throttledUntilMs: NOW_MS + delayMs });

const failoverOn = (...causes: PolicySettings['failoverOn']): Partial<PolicySettings> => ({
  failoverOn: causes,
});
const retry = (given: Partial<PolicySettings['retry']>): Partial<PolicySettings> => ({
  retry: { ...DEFAULT_SETTINGS.retry, ...given },
});
const times = (count: number, attempt: Attempt): readonly Attempt[] => Array<Attempt>(count).fill(attempt);
const refused = (planned: PlannedRoute, detail: RefusalDetail): PlannedRoute => ({
  ...planned,
  refusal: refusalOf(planned.route, detail),
});

type Scenario = Readonly<{
  candidates: readonly PlannedRoute[];
  ledger?: readonly Attempt[];
  settings?: Partial<PolicySettings>;
  health?: Readonly<Record<string, Partial<RouteCondition>>>;
  /** Milliseconds until a group takes requests again. */
  full?: Readonly<Record<string, number>>;
  given?: Partial<Situation>;
}>;

function situationOf({
  candidates,
  ledger = [],
  settings = {},
  health = {},
  full = {},
  given = {},
}: Scenario): Situation {
  return aSituation({
    plan: aPlan(candidates, settings),
    ledger,
    conditions: {
      ...conditions(health, NOW_MS),
      fullGroups: new Map(Object.entries(full).map(([group, ms]) => [group, NOW_MS + ms])),
    },
    ...given,
  });
}

const inGroup = (group: string, planned: PlannedRoute): PlannedRoute => ({
  ...planned,
  route: { ...planned.route, channel: { ...planned.route.channel, group } },
});
const VIP = inGroup('vip', candidate(routeAt('oa-3'), 'channel_fallback'));
const VIP_ABROAD = inGroup('vip', candidate(routeAt('az-3', { provider: 'azure' }), 'channel_fallback'));
const P0 = [PRIMARY];
const P = [PRIMARY, MODEL];
const ALL = [PRIMARY, CHANNEL, ABROAD, MODEL, SMALL_MODEL];
const failed = (fault: Partial<Fault> = {}): Attempt => failedAt(PRIMARY, fault);

type Row = readonly [name: string, scenario: Scenario, expected: string];

describe('next action', () => {
  // prettier-ignore
  const FIRST: readonly Row[] = [
    ['the primary goes first', { candidates: ALL }, 'initial oa-1 after 0'],
    ['a half-open primary takes the trial', { candidates: P, health: { 'oa-1': HALF_OPEN } }, 'initial oa-1 after 0 as trial'],
    ['an open primary goes to its other channel without an opt-in', { candidates: ALL, health: { 'oa-1': OPEN }, settings: failoverOn() }, 'channel_fallback oa-2 after 0'],
    ['an open primary fails over if circuit_open is listed', { candidates: P, health: { 'oa-1': OPEN } }, 'model_fallback an after 0'],
    ['a primary whose trial is taken fails over', { candidates: P, health: { 'oa-1': HALF_OPEN_TAKEN } }, 'model_fallback an after 0'],
    ['an open primary stays if circuit_open is not listed', { candidates: P, health: { 'oa-1': OPEN }, settings: failoverOn('server_error') }, 'initial oa-1 after 0 as trial'],
    ['a throttled primary fails over if rate_limited is listed', { candidates: P, health: { 'oa-1': throttledFor(5_000) } }, 'model_fallback an after 0'],
    ['a throttled primary is waited for if rate_limited is not listed', { candidates: P, health: { 'oa-1': throttledFor(5_000) }, settings: failoverOn('circuit_open') }, 'initial oa-1 after 5000'],
    ['a throttle that fits the deadline is waited for', { candidates: P0, health: { 'oa-1': throttledFor(59_000) } }, 'initial oa-1 after 59000'],
    ['a throttle that does not fit is a 429', { candidates: P0, health: { 'oa-1': throttledFor(59_001) } }, 'stop refused rate_limit_exceeded'],
    ['the shorter of two throttles is waited for', { candidates: [PRIMARY, CHANNEL], health: { 'oa-1': throttledFor(9_000), 'oa-2': throttledFor(4_000) } }, 'channel_fallback oa-2 after 4000'],
    ['a full group goes to the next one without an opt-in', { candidates: [PRIMARY, VIP], full: { default: 9_000 }, settings: failoverOn() }, 'channel_fallback oa-3 after 0'],
    ['a full group at one provider leads to another by every opt-in', { candidates: [PRIMARY, VIP_ABROAD], full: { default: 9_000 } }, 'channel_fallback az-3 after 0'],
    ['and not where rate_limited is not listed', { candidates: [PRIMARY, VIP_ABROAD], full: { default: 9_000 }, settings: failoverOn('server_error') }, 'stop refused rate_limit_exceeded'],
    ['a full group is not waited for', { candidates: P0, full: { default: 1 } }, 'stop refused rate_limit_exceeded'],
    ['nor taken as a last resort', { candidates: P0, full: { default: 1 }, health: { 'oa-1': OPEN } }, 'stop refused rate_limit_exceeded'],
    ['a throttled route behind it is', { candidates: [PRIMARY, VIP], full: { default: 9_000 }, health: { 'oa-3': throttledFor(4_000) } }, 'channel_fallback oa-3 after 4000'],
    ['a full group beside an open circuit: the circuit says when', { candidates: [PRIMARY, VIP], full: { default: 9_000 }, health: { 'oa-3': OPEN } }, 'stop refused no_eligible_route'],
    ['open circuits everywhere: the primary gets one last resort', { candidates: P, health: { 'oa-1': OPEN, an: OPEN } }, 'initial oa-1 after 0 as trial'],
    ['the last resort waits for a throttle too', { candidates: P0, health: { 'oa-1': { ...OPEN, ...throttledFor(2_000) } } }, 'initial oa-1 after 2000 as trial'],
    ['the last resort is taken: 503', { candidates: P, health: { 'oa-1': OPEN_TAKEN, an: OPEN } }, 'stop refused no_eligible_route'],
    ['the last resort is the primary alone', { candidates: [refused(PRIMARY, { reason: 'disabled' }), MODEL], health: { an: OPEN } }, 'stop refused no_eligible_route'],
    ['a primary that is switched off needs no cause', { candidates: [refused(PRIMARY, { reason: 'disabled' }), MODEL], settings: failoverOn('timeout') }, 'model_fallback an after 0'],
    ['a plan without a primary', { candidates: [MODEL] }, 'model_fallback an after 0'],
    ['a plan without candidates', { candidates: [] }, 'stop refused no_eligible_route'],
    ['no time for any attempt', { candidates: P, given: { budget: { openedAtMs: 0, deadlineAtMs: NOW_MS + 999, minAttemptMs: 1_000 } } }, 'stop refused provider_timeout'],
    ['no time for a last resort', { candidates: P0, health: { 'oa-1': OPEN }, given: { budget: { openedAtMs: 0, deadlineAtMs: NOW_MS + 999, minAttemptMs: 1_000 } } }, 'stop refused no_eligible_route'],
    ['a contract mismatch everywhere is a 400', { candidates: [refused(PRIMARY, { reason: 'contract_mismatch', param: 'tools', message: 'no' }), refused(MODEL, { reason: 'tenant_excluded', note: 'n', untilMs: null })] }, 'stop refused invalid_request_error'],
    ['a contract mismatch beside a closed door is a 503', { candidates: [refused(PRIMARY, { reason: 'contract_mismatch', param: 'tools', message: 'no' }), MODEL], health: { an: OPEN } }, 'stop refused no_eligible_route'],
    ['an open primary, and every fallback too dear', { candidates: [PRIMARY, refused(MODEL, { reason: 'cost_unknown', of: 'fallback' })], health: { 'oa-1': OPEN_TAKEN } }, 'stop refused fallback_cost_ceiling'],
    ['a full group is a 429', { candidates: [refused(PRIMARY, { reason: 'group_rpm', group: 'g', retryAfterMs: 700 })] }, 'stop refused rate_limit_exceeded'],
  ];

  describe('with an empty ledger', () => {
    it.each(FIRST)('%s', (_name, scenario, expected) => {
      expect(told(nextAction(situationOf(scenario)))).toBe(expected);
    });
  });

  // prettier-ignore
  const RETRIES: readonly Row[] = [
    ['a server error backs off', { candidates: P0, ledger: [failed()] }, 'retry oa-1 after 1000'],
    ['the second retry waits twice as long', { candidates: P0, ledger: times(2, failed()) }, 'retry oa-1 after 2000'],
    ['the fifth retry is the last', { candidates: P0, ledger: times(5, failed()) }, 'retry oa-1 after 16000'],
    ['after five retries the route has ended', { candidates: P0, ledger: times(6, failed()) }, 'stop failed provider_failed'],
    ['one retry comes before a fallback', { candidates: P, ledger: [failed()] }, 'retry oa-1 after 1000'],
    ['then comes the fallback', { candidates: P, ledger: times(2, failed()) }, 'model_fallback an after 0'],
    ['no retry before a fallback if the policy says so', { candidates: P, ledger: [failed()], settings: retry({ maxRetriesBeforeFallback: 0 }) }, 'model_fallback an after 0'],
    // A tenant who switched retries off got one before every fallback.
    ['no retry before a fallback if there is none at all', { candidates: P, ledger: [failed()], settings: retry({ maxRetries: 0 }) }, 'model_fallback an after 0'],
    ['a fallback that is refused now leaves all retries', { candidates: P, ledger: times(2, failed()), health: { an: OPEN } }, 'retry oa-1 after 2000'],
    ['retries are counted per route', { candidates: P, ledger: [...times(2, failed()), failedAt(MODEL)] }, 'retry an after 1000'],
    ['a 429 waits as it was told', { candidates: P0, ledger: [failed({ class: 'rate_limited', status: 429, retryAfterMs: 3_000 })] }, 'retry oa-1 after 3000'],
    ['a wait that just fits is waited', { candidates: P0, ledger: [failed({ class: 'rate_limited', retryAfterMs: 59_000 })] }, 'retry oa-1 after 59000'],
    ['a wait that does not fit ends the route', { candidates: P, ledger: [failed({ class: 'rate_limited', retryAfterMs: 59_001 })] }, 'model_fallback an after 0'],
    ['a 429 without a wait backs off', { candidates: P0, ledger: [failed({ class: 'rate_limited', status: 429 })] }, 'retry oa-1 after 1000'],
    ['a 503 waits as it was told', { candidates: P0, ledger: [failed({ retryAfterMs: 1_500 })] }, 'retry oa-1 after 1500'],
    ['a throttle told to somebody else is waited for', { candidates: P0, ledger: [failed()], health: { 'oa-1': throttledFor(7_000) } }, 'retry oa-1 after 7000'],
    ['a timeout is retried', { candidates: P0, ledger: [failed({ class: 'timeout' })] }, 'retry oa-1 after 1000'],
    ['a timeout is retried once', { candidates: P0, ledger: times(2, failed({ class: 'timeout' })) }, 'stop failed provider_timeout'],
    ['a timeout after a server error still has its retry', { candidates: P0, ledger: [failed(), failed({ class: 'timeout' })] }, 'retry oa-1 after 2000'],
    ['a refused connection backs off', { candidates: P0, ledger: [failed({ class: 'network', code: 'ECONNREFUSED', status: null })] }, 'retry oa-1 after 1000'],
    ['a reset is retried at once', { candidates: P0, ledger: [failed({ class: 'network', code: 'ECONNRESET', status: null })] }, 'retry oa-1 after 0'],
    ['a reset is retried once', { candidates: P0, ledger: times(2, failed({ class: 'network', code: 'ECONNRESET', status: null })) }, 'stop failed provider_failed'],
    ['a conflict is retried once', { candidates: P0, ledger: times(2, failed({ status: 409, code: 'conflict_error' })) }, 'stop failed provider_failed'],
    ['a set-up fault is not retried', { candidates: P, ledger: [failed({ code: 'setup', retryable: false })] }, 'model_fallback an after 0'],
    ['a credential fault is not retried', { candidates: P, ledger: [failed({ class: 'credential', status: 401 })] }, 'model_fallback an after 0'],
    ['a malformed answer is not retried', { candidates: P0, ledger: [failed({ class: 'malformed' })] }, 'stop failed provider_malformed'],
    ['before output all is as before the headers', { candidates: P0, ledger: [failed({ stage: 'before_output' })] }, 'retry oa-1 after 1000'],
    ['an open circuit ends the retries where a fallback is left', { candidates: P, ledger: [failed()], health: { 'oa-1': OPEN } }, 'model_fallback an after 0'],
    ['an open circuit without a fallback goes on as the trial', { candidates: P0, ledger: times(3, failed()), health: { 'oa-1': OPEN } }, 'retry oa-1 after 4000 as trial'],
    ['an open circuit whose trial is taken ends the retries', { candidates: P0, ledger: times(3, failed()), health: { 'oa-1': OPEN_TAKEN } }, 'stop failed provider_failed'],
    ['a half-open circuit takes the retry as its trial', { candidates: P, ledger: [failed()], health: { 'oa-1': HALF_OPEN } }, 'retry oa-1 after 1000 as trial'],
    ['a route that no plan holds is not retried', { candidates: [], ledger: [failed()] }, 'stop failed provider_failed'],
    ['the eighth attempt is the last', { candidates: P0, ledger: times(8, failed()), settings: retry({ maxRetries: 20 }) }, 'stop failed provider_failed'],
    ['a backoff that does not fit the deadline ends the route', { candidates: P0, ledger: [failed()], given: { budget: { openedAtMs: 0, deadlineAtMs: NOW_MS + 1_999, minAttemptMs: 1_000 } } }, 'stop failed provider_failed'],
    ['a fallback that does not fit the deadline is not taken', { candidates: P, ledger: times(2, failed()), given: { budget: { openedAtMs: 0, deadlineAtMs: NOW_MS + 999, minAttemptMs: 1_000 } } }, 'stop failed provider_failed'],
  ];

  describe('on the same route', () => {
    it.each(RETRIES)('%s', (_name, scenario, expected) => {
      expect(told(nextAction(situationOf(scenario)))).toBe(expected);
    });
  });

  const ended = times(2, failed());
  const tooLong: Partial<Fault> = { class: 'contract', status: 400, code: 'context_length_exceeded' };
  const REJECTED: Partial<Fault> = {
    class: 'caller',
    status: 400,
    requestSent: 'no',
    param: 'n',
    providerError: { message: 'n must be whole', type: null, code: 'invalid_value', param: 'n' },
  };
  // prettier-ignore
  const FALLBACKS: readonly Row[] = [
    ['the other channel goes before another provider', { candidates: ALL, ledger: ended }, 'channel_fallback oa-2 after 0'],
    ['another channel needs no opt-in', { candidates: ALL, ledger: ended, settings: failoverOn() }, 'channel_fallback oa-2 after 0'],
    ['the same model at another provider is a failover', { candidates: [PRIMARY, ABROAD], ledger: ended, settings: { ...failoverOn('timeout'), ...retry({ maxRetries: 1 }) } }, 'stop failed provider_failed'],
    ['and is taken if the fault is listed', { candidates: [PRIMARY, ABROAD], ledger: ended, settings: failoverOn('server_error') }, 'channel_fallback az after 0'],
    ['a model fallback needs the fault to be listed', { candidates: P, ledger: [failed({ class: 'malformed' })], settings: failoverOn('server_error') }, 'stop failed provider_malformed'],
    ['the fault of the route that is left counts', { candidates: ALL, ledger: [...ended, failedAt(CHANNEL, { class: 'credential' })], settings: failoverOn('server_error') }, 'stop failed provider_failed'],
    ['a tried route never comes back', { candidates: ALL, ledger: [...ended, failedAt(CHANNEL, { class: 'credential' })] }, 'channel_fallback az after 0'],
    ['after three routes there is no fourth', { candidates: ALL, ledger: [CHANNEL, ABROAD, MODEL].map((on) => failedAt(on, { class: 'credential' })) }, 'stop failed provider_failed'],
    ['with one hop allowed there is no second route', { candidates: ALL, ledger: [failed({ class: 'credential' })], settings: { maxHops: 1 } }, 'stop failed provider_failed'],
    ['a half-open fallback takes the trial', { candidates: P, ledger: ended, health: { an: HALF_OPEN } }, 'model_fallback an after 0 as trial'],
    ['a refused fallback is passed over', { candidates: [PRIMARY, MODEL, SMALL_MODEL], ledger: ended, health: { an: OPEN } }, 'model_fallback mi after 0'],
    ['a retry asks no group', { candidates: P0, ledger: [failed()], full: { default: 9_000 } }, 'retry oa-1 after 1000'],
    ['a throttled fallback is waited for when nothing else is left', { candidates: P, ledger: [failed({ class: 'credential' })], health: { an: throttledFor(2_000) } }, 'model_fallback an after 2000'],
    ['a primary that recovered can follow its fallback', { candidates: P, ledger: [failedAt(MODEL, { class: 'credential' })] }, 'model_fallback oa-1 after 0'],
    ['and is a channel fallback after its own model', { candidates: [PRIMARY, ABROAD], ledger: [failedAt(ABROAD, { class: 'credential' })] }, 'channel_fallback oa-1 after 0'],
    ['an open primary is no last resort after a fallback', { candidates: P, ledger: [failedAt(MODEL, { class: 'credential' })], health: { 'oa-1': OPEN } }, 'stop failed provider_failed'],
    ['nor after a fallback found the request to be wrong', { candidates: P, ledger: [failedAt(MODEL, { class: 'caller', requestSent: 'no' })], health: { 'oa-1': OPEN } }, 'stop failed provider_error_returned'],
    ['but after one that could not express it', { candidates: P, ledger: [failedAt(MODEL, { class: 'local', requestSent: 'no' })], health: { 'oa-1': OPEN } }, 'model_fallback oa-1 after 0 as trial'],
    ['a malformed answer has one fallback', { candidates: [PRIMARY, MODEL, SMALL_MODEL], ledger: [failed({ class: 'malformed' })] }, 'model_fallback an after 0'],
    ['a second malformed answer has none', { candidates: [PRIMARY, MODEL, SMALL_MODEL], ledger: [failed({ class: 'malformed' }), failedAt(MODEL, { class: 'malformed' })] }, 'stop failed provider_malformed'],
    ['another fault after a malformed answer has its own', { candidates: [PRIMARY, MODEL, SMALL_MODEL], ledger: [failed({ class: 'malformed' }), failedAt(MODEL, { class: 'credential' })] }, 'model_fallback mi after 0'],
    ['a request too long goes to a channel with more context', { candidates: [PRIMARY, CHANNEL], ledger: [failed(tooLong)] }, 'channel_fallback oa-2 after 0'],
    ['but to none with less', { candidates: [PRIMARY, candidate(routeAt('oa-3', { contract: { ...SMALL_MODEL.route.contract } }), 'channel_fallback')], ledger: [failed(tooLong)] }, 'stop failed provider_error_returned'],
    ['and to none whose context is unknown', { candidates: [PRIMARY, candidate(routeAt('oa-3'), 'channel_fallback')], ledger: [failed(tooLong)] }, 'stop failed provider_error_returned'],
    ['nor to another model by default', { candidates: P, ledger: [failed(tooLong)] }, 'stop failed provider_error_returned'],
    ['to another model if context_length is listed', { candidates: P, ledger: [failed(tooLong)], settings: failoverOn('context_length') }, 'model_fallback an after 0'],
    ['never to one with less context', { candidates: [PRIMARY, SMALL_MODEL], ledger: [failed(tooLong)], settings: failoverOn('context_length') }, 'stop failed provider_error_returned'],
    ['a 413 goes to more context too', { candidates: [PRIMARY, CHANNEL], ledger: [failed({ class: 'contract', status: 413 })] }, 'channel_fallback oa-2 after 0'],
    ['a budget below the request too', { candidates: [PRIMARY, CHANNEL], ledger: [failed({ class: 'contract', status: 429, code: 'request_too_large' })] }, 'channel_fallback oa-2 after 0'],
    ['a 413 never goes to another model', { candidates: P, ledger: [failed({ class: 'contract', status: 413 })], settings: failoverOn('context_length') }, 'stop failed provider_error_returned'],
    ['an unsupported field goes to a channel that is known to take it', { candidates: [PRIMARY, CHANNEL], ledger: [failed({ class: 'contract', status: 400, code: 'unsupported_parameter', param: 'tools' })] }, 'channel_fallback oa-2 after 0'],
    ['an unsupported field that no record knows is returned', { candidates: [PRIMARY, CHANNEL], ledger: [failed({ class: 'contract', status: 400, code: 'unsupported_parameter', param: 'x' })] }, 'stop failed provider_error_returned'],
    ['an unnamed unsupported field is returned', { candidates: [PRIMARY, CHANNEL], ledger: [failed({ class: 'contract', status: 400, code: null })] }, 'stop failed provider_error_returned'],
    ['an unknown model goes to any channel', { candidates: [PRIMARY, candidate(routeAt('oa-3'), 'channel_fallback')], ledger: [failed({ class: 'contract', status: 404 })] }, 'channel_fallback oa-3 after 0'],
    ['an unknown model at another provider needs an opt-in that no policy has', { candidates: [PRIMARY, ABROAD], ledger: [failed({ class: 'contract', status: 404 })] }, 'stop failed provider_error_returned'],
    ['what a route can not express goes to the next one', { candidates: P, ledger: [failed({ class: 'local', requestSent: 'no', param: 'audio' })], settings: failoverOn() }, 'model_fallback an after 0'],
    ['and counts as no hop', { candidates: P, ledger: [failed({ class: 'local', requestSent: 'no' })], settings: { maxHops: 1 } }, 'model_fallback an after 0'],
    ['what is wrong on any route goes to none', { candidates: ALL, ledger: [failed(REJECTED)] }, 'stop failed invalid_request_error'],
    ['the fault before a local one still rules', { candidates: [PRIMARY, MODEL, SMALL_MODEL], ledger: [...ended, failedAt(MODEL, { class: 'local', requestSent: 'no' })], settings: failoverOn('server_error') }, 'model_fallback mi after 0'],
    ['with replay forbidden, a sent request is never sent again', { candidates: P, ledger: [failed({ requestSent: 'maybe' })], given: { replaySafety: 'never' } }, 'stop failed provider_failed'],
    ['with replay forbidden, an unsent one may be', { candidates: P, ledger: [failed({ class: 'network', requestSent: 'no' })], given: { replaySafety: 'never' } }, 'retry oa-1 after 1000'],
  ];

  describe('on another route', () => {
    it.each(FALLBACKS)('%s', (_name, scenario, expected) => {
      expect(told(nextAction(situationOf(scenario)))).toBe(expected);
    });
  });
});
