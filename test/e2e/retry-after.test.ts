import { TestGateway, type Json } from '../support/gateway';
import { HAIKU, MINI, only, timeouts } from '../support/gateway-policy';
import { SleeplessTime } from '../support/gateway-time';

const time = new SleeplessTime();
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start({ time });
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.reset());

const messages = [{ role: 'user' as const, content: 'Hi' }];
const OWN_BACKOFF_MS = 10;
const inHttp = (offsetMs: number): string => new Date(time.nowMs() + offsetMs).toUTCString();

type Hints = Readonly<Record<string, string>>;
type Waited = Readonly<{ name: string; hints: () => Hints; minMs: number; maxMs: number }>;

const exactly = (name: string, hints: Hints, ms: number): Waited => ({
  name,
  hints: () => hints,
  // A throttle ends so long after the answer, and a moment of that has passed when it is looked at.
  minMs: ms === OWN_BACKOFF_MS ? ms : ms - 100,
  maxMs: ms,
});

/** CASES B19, value by value: what the gateway waits before it asks again. */
const VALUES: readonly Waited[] = [
  exactly('3', { 'retry-after': '3' }, 3_000),
  { name: 'a date in 5 s', hints: () => ({ 'retry-after': inHttp(5_000) }), minMs: 3_900, maxMs: 5_000 },
  {
    name: 'a date in the past',
    hints: () => ({ 'retry-after': inHttp(-60_000) }),
    minMs: OWN_BACKOFF_MS,
    maxMs: OWN_BACKOFF_MS,
  },
  exactly('250 ms, which wins over 9', { 'retry-after-ms': '250', 'retry-after': '9' }, 250),
  ...[
    '-3',
    '+3',
    '1.5',
    '120abc',
    'soon',
    '',
    'NaN',
    'Infinity',
    'Tue, 31 Feb 2026 10:00:00 GMT',
    '3, 5',
  ].map((value) => exactly(`'${value}'`, { 'retry-after': value }, OWN_BACKOFF_MS)),
];

const SIDES = [
  { wire: 'openai', target: MINI },
  { wire: 'anthropic', target: HAIKU },
] as const;

describe.each(SIDES)('Retry-After at the $wire wire (B19)', ({ wire, target }) => {
  beforeEach(() => gateway.putPolicy(only(target, timeouts({ deadline_ms: 60_000 }))));

  const ask = () => gateway.chat({ model: target.model, messages });

  describe.each([429, 503, 529])('beside %i', (status) => {
    it.each(VALUES)('$name', async ({ hints, minMs, maxMs }) => {
      const before = time.slept.length;
      gateway[wire].enqueue({ kind: 'status', status, headers: hints() });

      const answered = await ask();
      const record = await gateway.record(answered.headers.get('x-request-id'));

      const slept = time.slept.slice(before);
      expect(answered.status).toBe(200);
      expect(slept).toHaveLength(1);
      expect(slept[0]).toBeGreaterThanOrEqual(minMs);
      expect(slept[0]).toBeLessThanOrEqual(maxMs);
      expect((record['ledger'] as Json).map((row) => row['backoff_ms'])).toEqual([0, slept[0]]);
    });

    it('99999999999 is not slept: the route ends there and then', async () => {
      const before = time.slept.length;
      gateway[wire].setBehaviour({ kind: 'status', status, headers: { 'retry-after': '99999999999' } });

      const answered = await ask();

      expect(answered.status).toBe(status === 429 ? 429 : 502);
      expect(time.slept.slice(before)).toEqual([]);
      expect(gateway[wire].received).toHaveLength(1);
    });
  });
});
