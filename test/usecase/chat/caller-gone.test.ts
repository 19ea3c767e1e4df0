import { ChatBench } from '../../support/chat-bench';
import type { ChatInput } from '../../support/chat-bench';
import { aChunk, aPreamble } from '../../support/sample-frames';
import { GPT } from '../../support/sample-plan';
import { answers, failsWith, group, streams } from '../../support/scripted-behaviours';
import type { Behaviour } from '../../support/scripted-provider';

type Moment = Readonly<{
  name: string;
  behaviour: Behaviour;
  leavesAfterMs: number;
  chat?: ChatInput;
  /** When the provider's socket was closed by us; null: it was over by then. */
  cutAtMs: number | null;
  stage: string;
}>;

const STREAM: ChatInput = { request: { stream: true } };
const words = streams([
  group(50, aChunk('A')),
  group(50, aChunk('B')),
  group(50, aChunk('C')),
  group(50, aChunk('D')),
]);

const MOMENTS: readonly Moment[] = [
  {
    name: 'before the headers',
    behaviour: answers('late', 2_000),
    leavesAfterMs: 100,
    cutAtMs: 100,
    stage: 'before_headers',
  },
  {
    name: 'before the headers of a stream',
    behaviour: streams([], 2_000),
    leavesAfterMs: 100,
    chat: STREAM,
    cutAtMs: 100,
    stage: 'before_headers',
  },
  {
    name: 'in mid-body',
    behaviour: answers('late', 100, 2_000),
    leavesAfterMs: 500,
    cutAtMs: 500,
    stage: 'before_output',
  },
  {
    name: 'in the gate',
    behaviour: streams([group(0, aPreamble())]),
    leavesAfterMs: 500,
    chat: STREAM,
    cutAtMs: 500,
    stage: 'before_output',
  },
  {
    name: 'in an opened response',
    behaviour: streams([group(0, aPreamble())]),
    leavesAfterMs: 31_000,
    chat: STREAM,
    cutAtMs: 31_000,
    stage: 'before_output',
  },
  {
    name: 'in mid-stream',
    behaviour: words,
    leavesAfterMs: 220,
    chat: STREAM,
    cutAtMs: 220,
    stage: 'after_output',
  },
  {
    name: 'while it drains',
    behaviour: words,
    leavesAfterMs: 10_000,
    chat: { ...STREAM, drainMs: () => Infinity },
    cutAtMs: 10_000,
    stage: 'after_output',
  },
];

/** No fallback, and no attempt more than opens the circuit. */
const THREE_ATTEMPTS = { match: ['*'], primary: GPT, settings: { retry: { maxRetries: 2 } } };

describe('a caller who leaves', () => {
  it.each(MOMENTS)(
    '$name ends everything at once (B38)',
    async ({ behaviour, leavesAfterMs, chat, cutAtMs, stage }) => {
      const bench = new ChatBench({ script: { 'oa-1': [behaviour], an: [answers()] } });
      const startMs = bench.clock.nowMs();
      const { reply, done } = bench.begin(chat);
      reply.leaveAfter(leavesAfterMs);

      await bench.clock.run();
      await done;

      expect(bench.provider.calls).toHaveLength(1);
      expect(bench.provider.running).toBe(0);
      expect(bench.provider.calls[0]?.abortedAtMs).toBe(cutAtMs === null ? null : startMs + cutAtMs);
      expect(reply.endings).toMatchObject([{ kind: 'abandon', atMs: leavesAfterMs }]);
      expect(bench.store.only.closing).toMatchObject({
        state: 'cancelled',
        errorCode: null,
        served: null,
        attempts: 1,
      });
      expect(bench.store.ledger).toMatchObject([
        { outcome: { fault: { class: 'cancelled', stage, abortedBy: 'caller_gone' } } },
      ]);
      expect(bench.health.get('oa-1')).toMatchObject({
        breaker: { state: 'closed', window: [] },
        success: null,
      });
      expect(bench.clock.pendingTimers).toBe(0);
    },
  );

  it('is charged for what was said until then', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [words], an: [answers()] } });
    const { reply, done } = bench.begin(STREAM);
    reply.leaveAfter(220);

    await bench.clock.run();
    await done;

    // Two characters are one token: 10 × 100 + 1 × 400 pico-USD.
    expect(bench.store.ledger[0]).toMatchObject({
      usage: { inputTokens: 10, outputTokens: 1, source: 'estimated' },
      costPico: 1_400,
    });
    expect(bench.store.only.closing?.costMicroUsd).toBe(1);
  });

  it('is written nothing of what was under way', async () => {
    const late = streams([group(50, aChunk('A')), { ...group(1_000, aChunk('B')), inFlight: true }]);
    const bench = new ChatBench({ script: { 'oa-1': [late], an: [answers()] } });
    const { reply, done } = bench.begin(STREAM);
    reply.leaveAfter(220);

    await bench.clock.run();
    await done;

    expect(reply.text).toBe('A');
    expect(reply.kinds).toEqual(['write', 'abandon']);
  });

  it('in the backoff starts no further attempt', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [failsWith(503)], an: [answers()] } });
    const { reply, done } = bench.begin();
    reply.leaveAfter(500);

    await bench.clock.run();
    await done;

    expect(bench.provider.calls).toHaveLength(1);
    expect(reply.endings).toMatchObject([{ kind: 'abandon', atMs: 500 }]);
    expect(bench.store.only.closing).toMatchObject({ state: 'cancelled', attempts: 1 });
    expect(bench.store.ledger).toMatchObject([{ outcome: { fault: { class: 'server_error' } } }]);
    expect(bench.clock.pendingTimers).toBe(0);
  });

  it('before anything was recorded causes no call, and is on record', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [answers()], an: [answers()] } });

    await bench.complete({ hasLeft: true });

    expect(bench.provider.calls).toEqual([]);
    expect(bench.store.only).toMatchObject({
      opening: { firstAttempt: null },
      closing: { state: 'cancelled', attempts: 0 },
    });
  });

  it('while the start of an attempt is recorded causes no call', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [answers()], an: [answers()] } });
    bench.store.commitMs = 40;
    const { reply, done } = bench.begin();
    reply.leaveAfter(20);

    await bench.clock.run();
    await done;

    expect(bench.provider.calls).toEqual([]);
    expect(bench.store.only.closing).toMatchObject({ state: 'cancelled', attempts: 1 });
    expect(bench.store.ledger).toMatchObject([
      { status: null, outcome: { fault: { class: 'cancelled' } }, costPico: 0 },
    ]);
  });

  it('gives its trial slot back', async () => {
    const bench = new ChatBench({
      script: { 'oa-1': [failsWith(500), failsWith(500), failsWith(500), answers('late', 5_000)] },
      policy: THREE_ATTEMPTS,
    });
    await bench.complete();
    expect(bench.circuitOf('oa-1')).toMatchObject({ state: 'open' });
    const { reply, done } = bench.begin();
    reply.leaveAfter(100);

    await bench.clock.advance(50);
    const during = bench.circuitOf('oa-1').trialSinceMs;
    await bench.clock.run();
    await done;

    expect(during).not.toBeNull();
    expect(bench.circuitOf('oa-1').trialSinceMs).toBeNull();
  });
});
