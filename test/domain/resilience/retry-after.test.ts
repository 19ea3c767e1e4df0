import fc from 'fast-check';
import type { JsonValue } from '../../../src/domain/kernel/json';
import { parseRetryAfter } from '../../../src/domain/resilience/retry-after';
import { NO_HINTS } from '../../../src/domain/resilience/signal';

/** Mon, 30 Nov 2026 08:00:00 GMT. */
const NOW_MS = 1_796_025_600_000;

function ofHeader(retryAfter: string | null): number | null {
  return parseRetryAfter({ ...NO_HINTS, retryAfter }, null, NOW_MS);
}

function ofBody(body: JsonValue): number | null {
  return parseRetryAfter(NO_HINTS, body, NOW_MS);
}

describe('retry-after', () => {
  // B19: lone numbers were read as years, bad dates gave NaN, and a NaN timer fired at once.
  it.each<[string, string | null, number | null]>([
    ['whole seconds', '3', 3_000],
    ['leading zeros', '003', 3_000],
    ['a date 5 s ahead', 'Mon, 30 Nov 2026 08:00:05 GMT', 5_000],
    ['a date of RFC 850', 'Monday, 30-Nov-26 08:00:05 GMT', 5_000],
    ['a date of asctime', 'Mon Nov 30 08:00:05 2026', 5_000],
    ['a leap day', 'Tue, 29 Feb 2028 00:00:00 GMT', 2_147_483_647],
    ['the next year', 'Fri, 01 Jan 2027 00:00:00 GMT', 2_147_483_647],
    ['the next day', 'Tue, 01 Dec 2026 08:00:00 GMT', 86_400_000],
    ['a leap second', 'Mon, 30 Nov 2026 08:00:60 GMT', 60_000],
    ['more than any timer can wait', '99999999999', 2_147_483_647],
    ['more digits than a number holds', '9'.repeat(400), 2_147_483_647],
    ['a date in the past', 'Mon, 30 Nov 2026 07:59:59 GMT', null],
    ['this very instant', 'Mon, 30 Nov 2026 08:00:00 GMT', null],
    ['a date of the last century', 'Sunday, 06-Nov-94 08:49:37 GMT', null],
    ['zero', '0', null],
    ['a negative number', '-3', null],
    ['a plus sign', '+3', null],
    ['a fraction', '1.5', null],
    ['a unit', '120abc', null],
    ['a word', 'soon', null],
    ['empty', '', null],
    ['NaN', 'NaN', null],
    ['Infinity', 'Infinity', null],
    ['an exponent', '1e3', null],
    ['hexadecimal', '0x10', null],
    ['a space around', ' 3', null],
    ['31 February', 'Wed, 31 Feb 2027 08:00:00 GMT', null],
    ['29 February of no leap year', 'Mon, 29 Feb 2027 08:00:00 GMT', null],
    ['31 November', 'Tue, 31 Nov 2027 08:00:00 GMT', null],
    ['the day 0', 'Tue, 00 Dec 2026 08:00:00 GMT', null],
    ['a month that is none', 'Tue, 01 Dez 2026 08:00:00 GMT', null],
    ['the hour 24', 'Tue, 01 Dec 2026 24:00:00 GMT', null],
    ['the minute 60', 'Tue, 01 Dec 2026 08:60:00 GMT', null],
    ['the second 61', 'Tue, 01 Dec 2026 08:00:61 GMT', null],
    ['another zone', 'Mon, 30 Nov 2026 08:00:05 CET', null],
    ['an ISO date', '2026-11-30T08:00:05Z', null],
    ['two headers joined', '3, 5', null],
    ['no header', null, null],
  ])('reads %s', (_name, value, expected) => {
    expect(ofHeader(value)).toBe(expected);
  });

  it.each<[string, string | null, number | null]>([
    ['250', '9', 250],
    ['0.5', '9', 1],
    ['9816', null, 9_816],
    ['0', '1', 1_000],
    ['-5', '1', 1_000],
    ['250ms', '1', 1_000],
    ['NaN', null, null],
  ])('reads retry-after-ms %s before retry-after %s', (retryAfterMs, retryAfter, expected) => {
    expect(parseRetryAfter({ ...NO_HINTS, retryAfterMs, retryAfter }, null, NOW_MS)).toBe(expected);
  });

  it.each<[string, JsonValue, number | null]>([
    ['RetryInfo', { error: { details: [{ reason: 'x' }, { retryDelay: '20s' }] } }, 20_000],
    ['RetryInfo in an array, with a fraction', [{ error: { details: [{ retryDelay: '34.4s' }] } }], 34_400],
    ['RetryInfo without a unit', { error: { details: [{ retryDelay: '20' }] } }, null],
    ['RetryInfo of zero', { error: { details: [{ retryDelay: '0s' }] } }, null],
    ['a negative RetryInfo', { error: { details: [{ retryDelay: '-1s' }] } }, null],
    [
      'OpenRouter as text',
      { error: { metadata: { headers: { 'X-RateLimit-Reset': '1796025602500' } } } },
      2_500,
    ],
    [
      'OpenRouter as a number',
      { error: { metadata: { headers: { 'X-RateLimit-Reset': 1_796_025_602_500 } } } },
      2_500,
    ],
    [
      'OpenRouter in the past',
      { error: { metadata: { headers: { 'X-RateLimit-Reset': '1796025600000' } } } },
      null,
    ],
    ['OpenRouter without sense', { error: { metadata: { headers: { 'X-RateLimit-Reset': 'soon' } } } }, null],
    ['OpenRouter without a reset', { error: { metadata: { headers: {} } } }, null],
    ['an estimated time', { error: 'loading', estimated_time: 3.2 }, 3_200],
    ['a negative estimated time', { error: 'loading', estimated_time: -3 }, null],
    ['an estimated time as text', { error: 'loading', estimated_time: '3' }, null],
  ])('reads %s from the body', (_name, body, expected) => {
    expect(ofBody(body)).toBe(expected);
  });

  it('prefers the header to the body', () => {
    const body = { error: { details: [{ retryDelay: '20s' }] } };

    expect(parseRetryAfter({ ...NO_HINTS, retryAfter: '3' }, body, NOW_MS)).toBe(3_000);
    expect(parseRetryAfter({ ...NO_HINTS, retryAfter: 'soon' }, body, NOW_MS)).toBe(20_000);
  });

  it('reads a date as its sender wrote it, to the second', () => {
    const ahead = fc.integer({ min: 1, max: 2_000_000 });

    fc.assert(
      fc.property(ahead, (seconds) => {
        expect(ofHeader(new Date(NOW_MS + seconds * 1_000).toUTCString())).toBe(seconds * 1_000);
      }),
    );
  });

  it('gives a whole, positive delay that a timer can take, or none', () => {
    const text = fc.option(fc.oneof(fc.string(), fc.double().map(String), fc.integer().map(String)));

    fc.assert(
      fc.property(text, text, (retryAfter, retryAfterMs) => {
        const delayMs = parseRetryAfter({ ...NO_HINTS, retryAfter, retryAfterMs }, null, NOW_MS) ?? 1;

        expect(Number.isInteger(delayMs) && delayMs >= 1 && delayMs < 2 ** 31).toBe(true);
      }),
    );
  });
});
