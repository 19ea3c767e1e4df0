import { ChatBench, POLICY_P } from '../../support/chat-bench';
import { aChunk, aFailure, aFinish, aPreamble, aStatus, aUsage, END } from '../../support/sample-frames';
import { answers, failsWith, group, HANGS, streams, streamsWords } from '../../support/scripted-behaviours';
import type { Behaviour, ScriptedGroup } from '../../support/scripted-provider';

const OVERLOADED = aFailure(aStatus(529));
const HOUR = 3_600_000;

/** A stream that says one word and then does what is asked. */
const saysAnd = (...then: readonly ScriptedGroup[]): Behaviour => streams([group(0, aChunk('A')), ...then]);

describe('before the commit boundary', () => {
  it.each([
    { name: 'a failing frame', fails: streams([group(0, OVERLOADED)]), fault: 'server_error' },
    {
      name: 'a preamble and then a failing frame (B22)',
      fails: streams([group(0, aPreamble(), OVERLOADED)]),
      fault: 'server_error',
    },
    {
      name: 'a preamble, a pause and then a failing frame (B22)',
      fails: streams([group(0, aPreamble()), group(900, aPreamble()), group(900, OVERLOADED)]),
      fault: 'server_error',
    },
    {
      name: 'a reset',
      fails: streams([group(0, aPreamble()), group(10, aFailure({ kind: 'network', code: 'ECONNRESET' }))]),
      fault: 'network',
    },
    {
      name: 'an end without a terminal event',
      fails: streams([group(0, aPreamble()), group(10, aFailure({ kind: 'truncated' }))]),
      fault: 'malformed',
    },
    {
      name: 'frames that just stop',
      fails: { ...streams([group(0, aPreamble())]), then: 'nothing' } as Behaviour,
      fault: 'malformed',
    },
  ])('$name leads to the fallback, and the caller sees nothing of it', async ({ fails, fault }) => {
    const bench = new ChatBench({ script: { 'oa-1': [fails], an: [streamsWords('B')] } });

    const reply = await bench.stream();

    expect(reply.text).toBe('roleB<stop>');
    expect(reply.kinds).toEqual(['write', 'write', 'end']);
    expect(reply.facts).toMatchObject({ provider: 'anthropic', failover: { fromModel: 'gpt-s' } });
    expect(bench.store.ledger[0]?.outcome).toMatchObject({ fault: { class: fault, stage: 'before_output' } });
    expect(bench.store.only.closing?.state).toBe('served');
  });

  it('opens the response after 30 s of nothing decisive, and may still change the route', async () => {
    const slow = streams([group(0, aPreamble()), group(29_999, aPreamble()), group(10_000, OVERLOADED)], 0);
    const bench = new ChatBench({
      script: { 'oa-1': [slow], an: [streamsWords('B')] },
      policy: { ...POLICY_P, settings: { retry: { maxRetriesBeforeFallback: 0 } } },
    });

    const reply = await bench.stream();

    expect(reply.events).toMatchObject([
      { kind: 'open', atMs: 30_000 },
      { kind: 'write', atMs: 40_149, text: 'roleB', facts: { failover: { reason: 'primary_stream_error' } } },
      { kind: 'write' },
      { kind: 'end' },
    ]);
    expect(bench.store.only.closing?.state).toBe('served');
  });

  it('does not open a response that is decided in the last millisecond', async () => {
    const bench = new ChatBench({
      script: { 'oa-1': [streams([group(29_999, aChunk('A'), aFinish(), END)])], an: [answers()] },
    });

    const reply = await bench.stream();

    expect(reply.kinds).toEqual(['write', 'end']);
  });

  it('ends an opened response with an error when every route fails, and calls it failed', async () => {
    const fails = streams([group(40_000, OVERLOADED)]);
    const bench = new ChatBench({ script: { 'oa-1': [fails], an: [fails] } });

    const reply = await bench.stream();

    expect(reply.kinds).toEqual(['open', 'fail']);
    expect(bench.store.only.closing).toMatchObject({ state: 'failed', errorCode: 'provider_failed' });
  });

  it('gives up on headers that do not come', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [HANGS], an: [streamsWords('B')] } });

    const reply = await bench.stream();

    // 90 s, one retry after 1 s, 90 s again, and then the fallback's 150 ms.
    expect(reply.events[0]).toMatchObject({ kind: 'write', atMs: 181_150 });
    expect(reply.facts?.failover?.reason).toBe('primary_provider_timeout');
    expect(
      bench.provider.calls.map(({ abortedAtMs, startedAtMs }) => (abortedAtMs ?? 0) - startedAtMs),
    ).toEqual([90_000, 90_000, expect.any(Number)]);
    expect(bench.store.ledger[0]).toMatchObject({
      status: null,
      outcome: { fault: { class: 'timeout', stage: 'before_headers', abortedBy: 'headers_timeout' } },
    });
  });

  it('is bounded by the deadline, whatever pings come (B32)', async () => {
    const pings = Array.from({ length: 400 }, () => group(1_000));
    const bench = new ChatBench({ script: { 'oa-1': [streams(pings)], an: [answers()] } });

    const reply = await bench.stream();

    expect(reply.events).toMatchObject([
      { kind: 'open', atMs: 30_100 },
      { kind: 'fail', atMs: 300_000, error: { code: 'provider_timeout' } },
    ]);
    expect(bench.provider.running).toBe(0);
  });

  it('does not ask again once tools of the provider have begun', async () => {
    const began = aPreamble();
    const fails = streams([group(0, { ...began, sideEffects: true }), group(10, OVERLOADED)]);
    const bench = new ChatBench({ script: { 'oa-1': [fails], an: [answers()] } });

    const reply = await bench.stream();

    expect(reply.error).toMatchObject({ code: 'provider_failed' });
    expect(bench.provider.calls).toHaveLength(1);
    expect(bench.store.ledger[0]?.outcome).toMatchObject({ fault: { class: 'ambiguous' } });
  });
});

describe('with the whole answer held', () => {
  const COMPLETE = { ...POLICY_P, settings: { commitOn: 'complete' as const } };

  it('survives a break in mid-stream', async () => {
    const breaks = saysAnd(group(50, aChunk('B')), group(50, OVERLOADED));
    const bench = new ChatBench({
      script: { 'oa-1': [breaks, streamsWords('C', 'D')], an: [answers()] },
      policy: COMPLETE,
    });

    const reply = await bench.stream();

    expect(reply.text).toBe('roleCD<stop>');
    expect(reply.kinds).toEqual(['write', 'end']);
    // What was discarded was said, and is billed by its provider.
    expect(bench.store.ledger[0]?.usage).toMatchObject({
      inputTokens: 10,
      outputTokens: 1,
      source: 'estimated',
    });
  });
});

describe('after the commit boundary', () => {
  it.each([
    { name: 'an error frame', breaks: saysAnd(group(50, OVERLOADED)), atMs: 150, code: 'provider_failed' },
    {
      name: 'a frame and an error in one group',
      breaks: saysAnd(group(50, aChunk(''), OVERLOADED)),
      atMs: 150,
      code: 'provider_failed',
    },
    {
      name: 'a reset',
      breaks: saysAnd(group(50, aFailure({ kind: 'network', code: 'ECONNRESET' }))),
      atMs: 150,
      code: 'provider_failed',
    },
    {
      name: 'frames that just stop',
      breaks: { ...saysAnd(), then: 'nothing' } as Behaviour,
      atMs: 100,
      code: 'provider_failed',
    },
    { name: 'silence (B32)', breaks: saysAnd(), atMs: 120_100, code: 'provider_timeout' },
    {
      name: 'silence after more',
      breaks: saysAnd(group(60_000, aChunk(''))),
      atMs: 180_100,
      code: 'provider_timeout',
    },
    {
      name: 'endless pings, at the deadline (B32)',
      breaks: saysAnd(...Array.from({ length: 4_000 }, () => group(100))),
      atMs: 300_000,
      code: 'provider_timeout',
    },
  ])('$name ends the answer with an error, and nothing is replayed', async ({ breaks, atMs, code }) => {
    const bench = new ChatBench({ script: { 'oa-1': [breaks], an: [answers()] } });

    const reply = await bench.stream();

    expect(reply.text).toBe('A');
    expect(reply.events.at(-1)).toMatchObject({ kind: 'fail', atMs, error: { code } });
    expect(reply.endings).toHaveLength(1);
    expect(bench.provider.calls).toHaveLength(1);
    expect(bench.provider.running).toBe(0);
    expect(bench.store.only.closing).toMatchObject({ state: 'partial', errorCode: code, served: null });
    expect(bench.store.ledger).toMatchObject([
      {
        outcome: { fault: { class: 'partial', stage: 'after_output' } },
        usage: { outputTokens: 1, source: 'estimated' },
      },
    ]);
    expect(bench.clock.pendingTimers).toBe(0);
  });

  it('counts what the provider had reported before it broke', async () => {
    const usage = aUsage(40, 9);
    const breaks = streams([group(0, aChunk('A', { usage })), group(50, OVERLOADED)]);
    const bench = new ChatBench({ script: { 'oa-1': [breaks], an: [answers()] } });

    await bench.stream();

    // 40 × 100 + 9 × 400 pico-USD.
    expect(bench.store.ledger[0]).toMatchObject({
      usage: { inputTokens: 40, outputTokens: 9 },
      costPico: 7_600,
    });
  });

  it('keeps going as long as something comes within the limit', async () => {
    const alive = saysAnd(group(119_999), group(119_999), group(50, aFinish(), END));
    const bench = new ChatBench({ script: { 'oa-1': [alive], an: [answers()] } });

    const reply = await bench.stream();

    expect(reply.kinds).toEqual(['write', 'write', 'end']);
  });

  it('writes nothing of what comes after the end', async () => {
    const chatty = streams([group(0, aChunk('A'), aFinish(), END, aChunk('late'))]);
    const bench = new ChatBench({ script: { 'oa-1': [chatty], an: [answers()] } });

    const reply = await bench.stream();

    expect(reply.text).toBe('A<stop>');
    expect(reply.kinds).toEqual(['write', 'end']);
  });

  it('takes an empty answer for an answer', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [streams([group(0, END)])], an: [answers()] } });

    const reply = await bench.stream();

    expect(reply.kinds).toEqual(['end']);
    expect(bench.store.ledger[0]?.outcome).toEqual({ kind: 'served', finishReason: 'stop' });
  });
});

describe('a caller who reads slowly', () => {
  const word = (text: string): ScriptedGroup => group(50, aChunk(text));

  it('slows the provider down', async () => {
    const bench = new ChatBench({
      script: { 'oa-1': [streams([word('A'), word('B'), word('C'), group(50, END)])], an: [answers()] },
    });

    const reply = await bench.stream({ drainMs: () => 5_000 });

    expect(reply.events).toMatchObject([
      { kind: 'write', atMs: 150, text: 'A' },
      { kind: 'write', atMs: 5_200, text: 'B' },
      { kind: 'write', atMs: 10_250, text: 'C' },
      { kind: 'end', atMs: 15_300 },
    ]);
  });

  it('is no silence of the provider', async () => {
    const bench = new ChatBench({
      script: { 'oa-1': [streams([word('A'), group(50, aFinish(), END)])], an: [answers()] },
      policy: { ...POLICY_P, settings: { timeouts: { idleMs: 10_000 } } },
    });

    const reply = await bench.stream({ drainMs: () => 59_999 });

    expect(reply.kinds).toEqual(['write', 'write', 'end']);
    expect(bench.store.only.closing?.state).toBe('served');
  });

  it('is cut off after a minute in which it takes nothing', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [streams([word('A'), word('B')])], an: [answers()] } });

    const reply = await bench.stream({ drainMs: () => Infinity });

    expect(reply.events).toMatchObject([
      { kind: 'write', atMs: 150 },
      { kind: 'abandon', atMs: 60_150 },
    ]);
    expect(bench.store.only.closing).toMatchObject({ state: 'cancelled', errorCode: null });
    expect(bench.health.get('oa-1').success).toBeNull();
    expect(bench.provider.running).toBe(0);
    expect(bench.clock.pendingTimers).toBe(0);
  });

  it('does not hold up the record of an answer that is complete', async () => {
    const bench = new ChatBench({
      script: { 'oa-1': [streams([group(0, aChunk('A'), aFinish(), END)])], an: [answers()] },
    });

    const reply = await bench.stream({ drainMs: () => HOUR });

    expect(reply.events).toMatchObject([
      { kind: 'write', atMs: 100 },
      { kind: 'end', atMs: 100 },
    ]);
  });

  it('still has its deadline', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [streams([word('A'), word('B')])], an: [answers()] } });

    const reply = await bench.stream({ drainMs: () => Infinity, options: { timeoutMs: 10_000 } });

    expect(reply.events.at(-1)).toMatchObject({
      kind: 'fail',
      atMs: 10_000,
      error: { code: 'provider_timeout' },
    });
    expect(bench.store.only.closing?.state).toBe('partial');
  });
});

describe('a whole answer', () => {
  it('ends after the idle limit when its body stops half-way', async () => {
    const stalls = { ...answers(), bodyAfterMs: Infinity } as Behaviour;
    const bench = new ChatBench({ script: { 'oa-1': [stalls], an: [answers('B')] } });

    const reply = await bench.complete();

    // The idle limit of 120 s twice, with one retry after 1 s between them.
    expect(reply.events).toMatchObject([{ kind: 'answer', atMs: 241_350 }]);
    expect(bench.store.ledger[0]).toMatchObject({
      status: 200,
      outcome: { fault: { class: 'timeout', stage: 'before_output', abortedBy: 'idle_timeout' } },
    });
  });

  it('waits 240 s for headers', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [HANGS], an: [answers('B')] } });

    const reply = await bench.complete();

    expect(reply.events).toMatchObject([
      { kind: 'fail', atMs: 300_000, error: { code: 'provider_timeout' } },
    ]);
    expect(bench.store.ledger.map(({ startedAtMs, endedAtMs }) => endedAtMs - startedAtMs)).toEqual([
      240_000, 59_000,
    ]);
  });

  it('is not an answer any more when a failing status comes', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [failsWith(404)], an: [answers()] } });

    const reply = await bench.complete();

    expect(reply.error).toMatchObject({ code: 'provider_error_returned', status: 404 });
  });
});
