import { ChatBench, POLICY_P } from '../../support/chat-bench';
import { aChunk, aFinish, aPreamble, END } from '../../support/sample-frames';
import { answers, failsWith, group, HANGS, streams, streamsWords } from '../../support/scripted-behaviours';
import type { Behaviour } from '../../support/scripted-provider';

const PATIENCE_MS = 2_000;
const IMPATIENT = { ...POLICY_P, settings: { timeouts: { ttftFailoverMs: PATIENCE_MS } } };

/** Headers and a role at once; the first word after `ms`. */
const firstWordAfter = (ms: number): Behaviour =>
  streams([group(0, aPreamble()), group(ms, aChunk('slow')), group(10, aFinish(), END)], 0);

describe('an attempt that has said nothing decisive after ttft_failover_ms', () => {
  it.each([
    { name: 'has no headers', primary: HANGS },
    { name: 'has only said its role', primary: firstWordAfter(10_000) },
  ])('is ended for the next route when it $name', async ({ primary }) => {
    const bench = new ChatBench({
      script: { 'oa-1': [primary], an: [streamsWords('fast')] },
      policy: IMPATIENT,
    });

    const reply = await bench.stream();

    expect(reply.text).toBe('rolefast<stop>');
    expect(reply.facts?.failover?.reason).toBe('primary_provider_timeout');
    expect(
      bench.store.ledger.map(({ route, startedAtMs, endedAtMs }) => [route.id, endedAtMs - startedAtMs]),
    ).toEqual([
      ['oa-1', 2_000],
      ['an', 200],
    ]);
    expect(bench.store.ledger[0]?.outcome).toMatchObject({
      fault: { class: 'timeout', code: 'ttft_timeout', abortedBy: 'ttft_timeout' },
    });
    expect(bench.circuitOf('oa-1').state).toBe('closed');
    expect(bench.clock.pendingTimers).toBe(0);
  });

  it('is ended although its whole answer had begun to come', async () => {
    const bench = new ChatBench({
      script: { 'oa-1': [answers('slow', 100, 5_000)], an: [answers('fast')] },
      policy: IMPATIENT,
    });

    const reply = await bench.complete();

    expect(reply.endings).toMatchObject([{ kind: 'answer', atMs: 2_150, facts: { model: 'claude-s' } }]);
  });

  it.each([
    { name: 'in the last millisecond', atMs: 1_999, text: 'roleslow<stop>' },
    { name: 'a millisecond later', atMs: 2_001, text: 'rolefast<stop>' },
  ])('counts from the start of the attempt: a first word $name gives $text', async ({ atMs, text }) => {
    const bench = new ChatBench({
      script: { 'oa-1': [firstWordAfter(atMs)], an: [streamsWords('fast')] },
      policy: IMPATIENT,
    });

    expect((await bench.stream()).text).toBe(text);
  });

  it('is not slow if its first word is only held for the whole answer', async () => {
    const primary = streams([group(100, aChunk('held ')), group(5_000, aChunk('long'), aFinish(), END)], 0);
    const settings = { ...IMPATIENT.settings, commitOn: 'complete' as const };
    const bench = new ChatBench({
      script: { 'oa-1': [primary], an: [streamsWords('fast')] },
      policy: { ...IMPATIENT, settings },
    });

    expect((await bench.stream()).text).toBe('held long<stop>');
  });

  it('leaves the wait alone for an attempt that failed by itself', async () => {
    const bench = new ChatBench({
      script: { 'oa-1': [failsWith(501)], an: [firstWordAfter(1_500)] },
      policy: IMPATIENT,
    });

    expect((await bench.stream()).text).toBe('roleslow<stop>');
  });
});

describe('an attempt that is slow goes on', () => {
  const SLOW = firstWordAfter(10_000);

  it.each([
    { name: 'where nothing is set', policy: POLICY_P },
    { name: 'without a fallback', policy: { ...IMPATIENT, fallbacks: [] } },
    {
      name: 'where the policy does not list timeouts',
      policy: { ...IMPATIENT, settings: { ...IMPATIENT.settings, failoverOn: ['server_error' as const] } },
    },
    { name: 'at its last hop', policy: { ...IMPATIENT, settings: { ...IMPATIENT.settings, maxHops: 1 } } },
  ])('$name', async ({ policy }) => {
    const bench = new ChatBench({ script: { 'oa-1': [SLOW], an: [streamsWords('fast')] }, policy });

    expect((await bench.stream()).text).toBe('roleslow<stop>');
    expect(bench.provider.callsOf('an')).toHaveLength(0);
  });

  it('for a tenant without failover', async () => {
    const bench = new ChatBench({
      script: { 'oa-1': [SLOW], an: [streamsWords('fast')] },
      policy: IMPATIENT,
    });

    expect((await bench.stream({ failover: false })).text).toBe('roleslow<stop>');
  });

  it('for a caller who forbids a replay', async () => {
    const bench = new ChatBench({
      script: { 'oa-1': [SLOW], an: [streamsWords('fast')] },
      policy: IMPATIENT,
    });

    expect((await bench.stream({ options: { forbidsReplay: true } })).text).toBe('roleslow<stop>');
  });

  it.each([
    { name: 'is throttled', throttledUntilMs: 1_500 + PATIENCE_MS },
    { name: 'was throttled until just then', throttledUntilMs: PATIENCE_MS },
  ])('or not, by what holds at that moment: the fallback $name', async ({ throttledUntilMs, name }) => {
    const bench = new ChatBench({
      script: { 'oa-1': [SLOW], an: [streamsWords('fast')] },
      policy: IMPATIENT,
    });
    const untilMs = bench.clock.nowMs() + throttledUntilMs;
    bench.health.set('an', { ...bench.health.get('an'), throttledUntilMs: untilMs });

    const { text } = await bench.stream();

    expect(text).toBe(name === 'is throttled' ? 'roleslow<stop>' : 'rolefast<stop>');
  });

  it('when the fallback was switched off meanwhile', async () => {
    const bench = new ChatBench({
      script: { 'oa-1': [SLOW], an: [streamsWords('fast')] },
      policy: IMPATIENT,
    });
    const { reply, done } = bench.begin({ request: { stream: true } });
    await bench.clock.advance(PATIENCE_MS - 1);
    bench.switchedOff.add('an');

    await bench.clock.run();
    await done;

    expect(reply.text).toBe('roleslow<stop>');
  });
});
