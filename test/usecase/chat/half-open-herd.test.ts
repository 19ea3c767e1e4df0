import { ChatBench, POLICY_P } from '../../support/chat-bench';
import { answers, failsWith, HANGS } from '../../support/scripted-behaviours';
import type { RecordingReply } from '../../support/recording-reply';
import type { Behaviour } from '../../support/scripted-provider';

const FAILURES = [failsWith(503), failsWith(503), failsWith(503)];
const HERD = 50;
const OPEN_MS = 60_000;

/** A bench whose primary has just failed three times: its circuit is open. */
async function benchWithOpenCircuit(then: Behaviour, policy: 'P' | 'P0'): Promise<ChatBench> {
  const settings = { retry: { maxRetries: 0 }, timeouts: { headersMs: 30_000 } };
  const p = { ...POLICY_P, settings };
  const p0 = { match: ['*'], primary: p.primary ?? null, settings };
  const bench = new ChatBench({
    script: { 'oa-1': [...FAILURES, then], an: [answers('fallback', 100, 0)] },
    policy: policy === 'P' ? p : p0,
  });
  for (const _ of FAILURES) await bench.complete();
  expect(bench.circuitOf('oa-1').state).toBe('open');
  return bench;
}

/** Fifty callers at the same moment. */
async function stampede(bench: ChatBench): Promise<readonly RecordingReply[]> {
  const herd = Array.from({ length: HERD }, () => bench.begin());
  await bench.clock.run();
  await Promise.all(herd.map(({ done }) => done));
  return herd.map(({ reply }) => reply);
}

const times = (replies: readonly RecordingReply[]): readonly number[] =>
  replies.map(({ endings }) => endings[0]?.atMs ?? NaN).sort((a, b) => a - b);

describe('when the open time is over', () => {
  it.each([
    { name: '(i) a healthy primary', then: answers('primary', 200, 0), after: 'closed', trialEndsMs: 200 },
    { name: '(ii) a failing primary', then: failsWith(503, 200), after: 'open', trialEndsMs: 300 },
    { name: '(iii) a hanging primary', then: HANGS, after: 'open', trialEndsMs: 30_100 },
  ])('$name is tried by one caller of fifty, and the others have the fallback at once (B28)', async (row) => {
    const bench = await benchWithOpenCircuit(row.then, 'P');
    await bench.clock.advance(OPEN_MS);

    const replies = await stampede(bench);

    expect(bench.provider.callsOf('oa-1')).toHaveLength(FAILURES.length + 1);
    expect(replies.every(({ endings }) => endings[0]?.kind === 'answer')).toBe(true);
    expect(times(replies)).toEqual([...Array<number>(HERD - 1).fill(100), row.trialEndsMs]);
    expect(bench.circuitOf('oa-1').state).toBe(row.after);
    expect(bench.store.violations).toEqual([]);
  });

  it('opens again for a whole period when the trial fails', async () => {
    const bench = await benchWithOpenCircuit(failsWith(503, 200), 'P');
    await bench.clock.advance(OPEN_MS);
    await stampede(bench);
    const reopenedForMs = OPEN_MS - 100;

    await bench.clock.advance(reopenedForMs - 1);
    await bench.complete();
    const before = bench.provider.callsOf('oa-1').length;
    await bench.complete();

    // The first of the two came a millisecond too early and took 100 ms; the second is the next trial.
    expect(before).toBe(FAILURES.length + 1);
    expect(bench.provider.callsOf('oa-1')).toHaveLength(FAILURES.length + 2);
  });

  it.each([
    { name: '(i) a healthy primary', then: answers('primary', 200, 0), trial: 'answer' },
    { name: '(ii) a failing primary', then: failsWith(503, 200), trial: 'fail' },
    { name: '(iii) a hanging primary', then: HANGS, trial: 'fail' },
  ])(
    '$name without any fallback is tried by one caller, and the others get a fast error (B28, P0)',
    async (row) => {
      const bench = await benchWithOpenCircuit(row.then, 'P0');
      await bench.clock.advance(OPEN_MS);

      const replies = await stampede(bench);

      expect(bench.provider.callsOf('oa-1')).toHaveLength(FAILURES.length + 1);
      expect(times(replies).slice(0, HERD - 1)).toEqual(Array<number>(HERD - 1).fill(0));
      const refused = replies.filter(({ error }) => error?.code === 'no_eligible_route');
      expect(refused).toHaveLength(HERD - 1);
      expect(replies.filter((reply) => !refused.includes(reply))).toMatchObject([
        { endings: [{ kind: row.trial }] },
      ]);
    },
  );
});

describe('while the circuit is open', () => {
  it('sends everybody to the fallback at once', async () => {
    const bench = await benchWithOpenCircuit(answers(), 'P');

    const replies = await stampede(bench);

    expect(bench.provider.callsOf('oa-1')).toHaveLength(FAILURES.length);
    expect(replies.map(({ facts }) => facts?.failover?.reason)).toEqual(
      Array(HERD).fill('primary_circuit_open'),
    );
    expect(bench.store.interactions.get('req_4')).toMatchObject({
      opening: { firstAttempt: { number: 1, action: 'model_fallback' } },
      closing: {
        state: 'served',
        fallbackReason: 'primary_circuit_open',
        refusals: [{ route: { id: 'oa-1' }, detail: { reason: 'circuit_open' } }],
      },
    });
  });

  it('lets one caller at a time try a primary that has no fallback, and tells the others when to come back', async () => {
    const bench = await benchWithOpenCircuit(answers('primary', 200, 0), 'P0');

    const replies = await stampede(bench);

    expect(bench.provider.callsOf('oa-1')).toHaveLength(FAILURES.length + 1);
    expect(replies.filter(({ endings }) => endings[0]?.kind === 'answer')).toHaveLength(1);
    expect(replies.at(-1)?.error).toMatchObject({
      code: 'no_eligible_route',
      retryAfterMs: expect.any(Number),
    });
    expect(bench.circuitOf('oa-1').state).toBe('closed');
  });
});

describe('a retry whose circuit opened and cooled down while it waited', () => {
  it('is on record as the trial that it became', async () => {
    const settings = { retry: { maxRetries: 1 } };
    const bench = new ChatBench({
      script: {
        'oa-1': [failsWith(503, 80, { retryAfter: '70' }), failsWith(503), failsWith(503), answers()],
      },
      policy: { match: ['*'], primary: POLICY_P.primary ?? null, settings },
    });
    const patient = bench.begin();
    await bench.clock.advance(100);
    const hasty = bench.begin();

    await bench.clock.run();
    await Promise.all([patient.done, hasty.done]);

    expect(hasty.reply.error).toMatchObject({ code: 'provider_failed' });
    expect(patient.reply.kinds).toEqual(['answer']);
    expect(bench.store.interactions.get('req_1')?.attempts).toMatchObject([
      { action: 'initial', trial: false },
      { action: 'retry', backoffMs: 70_000, trial: true },
    ]);
    expect(bench.circuitOf('oa-1').state).toBe('closed');
  });
});
