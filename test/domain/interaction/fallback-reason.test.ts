import { fallbackReasonOf } from '../../../src/domain/interaction/fallback-reason';
import type { Fault } from '../../../src/domain/resilience/fault';
import { refusalOf } from '../../../src/domain/routing/gates';
import { aPlan, failedAt, MODEL, PRIMARY } from '../../support/sample-situation';

const PLAN = aPlan([PRIMARY, MODEL]);

describe('fallback reason', () => {
  it.each<[string, Partial<Fault>, number | null, string]>([
    ['a failing status', { class: 'server_error' }, 503, 'primary_provider_5xx'],
    ['a rate limit', { class: 'rate_limited' }, 429, 'primary_provider_429'],
    ['a rate limit inside a 200', { class: 'rate_limited' }, 200, 'primary_provider_429'],
    ['a timeout', { class: 'timeout' }, null, 'primary_provider_timeout'],
    ['a timeout after headers', { class: 'timeout' }, 200, 'primary_provider_timeout'],
    ['no connection', { class: 'network' }, null, 'primary_provider_network'],
    ['an account fault', { class: 'credential' }, 401, 'primary_provider_credential'],
    [
      'an answer that is no JSON',
      { class: 'malformed', code: 'not_json' },
      200,
      'primary_provider_malformed',
    ],
    ['a redirect', { class: 'malformed', code: null }, 301, 'primary_provider_malformed'],
    [
      'a malformed answer without a code',
      { class: 'malformed', code: null },
      200,
      'primary_provider_malformed',
    ],
    ['a failing frame', { class: 'server_error' }, 200, 'primary_stream_error'],
    ['a reset after headers', { class: 'network', code: 'ECONNRESET' }, 200, 'primary_stream_error'],
    ['a stream that ended early', { class: 'malformed', code: 'truncated' }, 200, 'primary_stream_error'],
    ['a frame that is garbage', { class: 'malformed', code: 'bad_frame' }, 200, 'primary_stream_error'],
    ['a context that was too small', { class: 'contract' }, 400, 'primary_not_eligible'],
    ['a route that could not express it', { class: 'local' }, null, 'primary_not_eligible'],
  ])('of %s', (_name, fault, status, expected) => {
    const ledger = [{ ...failedAt(PRIMARY, fault), status }, failedAt(MODEL)];

    expect(fallbackReasonOf(PLAN, ledger, [])).toBe(expected);
  });

  it('is the last fault of the primary', () => {
    const ledger = [failedAt(PRIMARY, { class: 'timeout' }), failedAt(PRIMARY, { class: 'rate_limited' })];

    expect(fallbackReasonOf(PLAN, ledger, [])).toBe('primary_provider_429');
  });

  it.each([
    [{ reason: 'circuit_open', untilMs: 5 } as const, 'primary_circuit_open'],
    [{ reason: 'throttled', untilMs: 5 } as const, 'primary_throttled'],
    [{ reason: 'disabled' } as const, 'primary_not_eligible'],
  ])('of a primary that was never asked is its refusal: %j', (detail, expected) => {
    expect(fallbackReasonOf(PLAN, [failedAt(MODEL)], [refusalOf(PRIMARY.route, detail)])).toBe(expected);
  });

  // A failover without a name would have been a silent one (ADR 8).
  it('is told even without a refusal or a primary', () => {
    const disabled = refusalOf(PRIMARY.route, { reason: 'disabled' });

    expect(fallbackReasonOf(PLAN, [], [])).toBe('primary_not_eligible');
    expect(fallbackReasonOf(aPlan([MODEL]), [], [disabled])).toBe('primary_not_eligible');
  });
});
