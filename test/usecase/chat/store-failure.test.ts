import { ChatBench } from '../../support/chat-bench';
import type { StoreMood, StoreOperation } from '../../support/in-memory-interaction-store';
import { GPT } from '../../support/sample-plan';
import { answers, failsWith, HANGS, streamsWords } from '../../support/scripted-behaviours';

/** Gives the store its moods in turn, and then the last one for ever. */
function moods(
  script: Partial<Record<StoreOperation, readonly StoreMood[]>>,
): (operation: StoreOperation) => StoreMood {
  const seen: Record<StoreOperation, number> = { open: 0, advance: 0, close: 0 };
  return (operation) => {
    const ofOperation = script[operation] ?? ['fine'];
    const nth = Math.min(seen[operation], ofOperation.length - 1);
    seen[operation] += 1;
    return ofOperation[nth] ?? 'fine';
  };
}

describe('a store that is gone', () => {
  it('at the opening refuses the interaction before any provider is called', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [answers()], an: [answers()] } });
    bench.store.mood = () => 'unavailable';

    const reply = await bench.complete();

    expect(reply.events).toMatchObject([{ kind: 'fail', error: { code: 'audit_unavailable' } }]);
    expect(bench.provider.calls).toEqual([]);
    expect(bench.store.interactions.size).toBe(0);
    // An outage under load gave an operator a lost record to restore for each request that was refused.
    expect(bench.incidents.notRecorded).toEqual([]);
  });

  it('for a moment at the opening leaves a record of the refusal', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [answers()], an: [answers()] } });
    bench.store.mood = moods({ open: ['unavailable', 'fine'] });

    const reply = await bench.complete();

    expect(reply.error).toEqual({ code: 'audit_unavailable' });
    expect(bench.provider.calls).toEqual([]);
    expect(bench.store.only.closing).toMatchObject({
      state: 'failed',
      errorCode: 'audit_unavailable',
      attempts: 0,
    });
    expect(bench.incidents.notRecorded).toEqual([]);
  });

  it('at the opening gives the trial slot back', async () => {
    const policy = { match: ['*'], primary: GPT, settings: { retry: { maxRetries: 2 } } };
    const bench = new ChatBench({ script: { 'oa-1': [failsWith(500)] }, policy });
    await bench.complete();
    bench.store.mood = () => 'unavailable';

    const reply = await bench.complete();

    expect(reply.error).toEqual({ code: 'audit_unavailable' });
    expect(bench.circuitOf('oa-1')).toMatchObject({ state: 'open', trialSinceMs: null });
  });

  it('between attempts ends the interaction without another call', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [failsWith(503)], an: [answers()] } });
    bench.store.mood = moods({ advance: ['unavailable'] });

    const reply = await bench.complete();

    expect(reply.events).toMatchObject([{ kind: 'fail', error: { code: 'audit_unavailable' }, attempts: 1 }]);
    expect(bench.provider.calls).toHaveLength(1);
    expect(bench.store.only.closing).toMatchObject({
      state: 'failed',
      errorCode: 'audit_unavailable',
      attempts: 1,
    });
    expect(bench.store.ledger).toMatchObject([{ outcome: { fault: { class: 'server_error' } } }]);
  });

  it.each([
    { name: 'an answer', behaviour: answers('hello'), stream: false, ending: 'answer' },
    { name: 'a stream', behaviour: streamsWords('hello'), stream: true, ending: 'end' },
  ])('at the closing still delivers $name, and reports the record', async ({ behaviour, stream, ending }) => {
    const bench = new ChatBench({ script: { 'oa-1': [behaviour], an: [answers()] } });
    bench.store.mood = moods({ close: ['unavailable'] });

    const reply = await bench.complete({ request: { stream } });

    expect(reply.endings).toMatchObject([{ kind: ending }]);
    expect(bench.incidents.notRecorded).toMatchObject([
      {
        requestId: 'req_1',
        state: 'served',
        attempts: 1,
        lastAttempt: { number: 1, outcome: { kind: 'served' } },
      },
    ]);
  });

  it('at the closing still tells of a failure', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [failsWith(400)], an: [answers()] } });
    bench.store.mood = moods({ close: ['unavailable'] });

    const reply = await bench.complete();

    expect(reply.error).toMatchObject({ code: 'provider_error_returned' });
    expect(bench.incidents.notRecorded).toHaveLength(1);
  });

  it('at a refusal says so in the place of the refusal', async () => {
    const bench = new ChatBench({ script: { an: [answers()] } });
    bench.store.mood = () => 'unavailable';

    const reply = await bench.complete({ failover: false });

    expect(reply.events).toMatchObject([{ kind: 'fail', error: { code: 'audit_unavailable' } }]);
  });

  // He was given an error, while his record says that he had left.
  it.each([{ open: ['unavailable'] }, { close: ['unavailable'] }, { close: ['defect'] }] as const)(
    'tells a caller nothing who left before anything was recorded: %j',
    async (script) => {
      const bench = new ChatBench({ script: { 'oa-1': [answers()], an: [answers()] } });
      bench.store.mood = moods(script);

      const reply = await bench.complete({ hasLeft: true });

      expect(reply.kinds).toEqual(['abandon']);
      expect(bench.provider.calls).toEqual([]);
    },
  );
});

describe('a refusal at planning', () => {
  it('is recorded with no attempt at all', async () => {
    const bench = new ChatBench({ script: { an: [answers()] } });

    const reply = await bench.complete({ failover: false });

    expect(reply.events).toMatchObject([{ kind: 'fail', error: { code: 'no_eligible_route' }, attempts: 0 }]);
    expect(bench.provider.calls).toEqual([]);
    expect(bench.store.only).toMatchObject({
      opening: { firstAttempt: null },
      closing: {
        state: 'refused',
        errorCode: 'no_eligible_route',
        attempts: 0,
        lastAttempt: null,
        costMicroUsd: 0,
        refusals: [{ route: { id: 'an' }, detail: { reason: 'not_opted_in', missing: 'tenant_feature' } }],
      },
    });
  });

  it('of a model that nobody has is no interaction', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [answers()] }, policy: null });

    const reply = await bench.complete({ request: { model: 'gpt-x' } });

    expect(reply.events).toMatchObject([
      { kind: 'fail', error: { code: 'model_not_found', model: 'gpt-x' } },
    ]);
    expect(bench.store.interactions.size).toBe(0);
  });
});

describe('a bug of the store', () => {
  it('at the opening ends the interaction, and no provider is called', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [answers()], an: [answers()] } });
    bench.store.mood = moods({ open: ['defect', 'fine'] });

    const reply = await bench.complete();

    expect(reply.events).toMatchObject([{ kind: 'fail', error: { code: 'gateway_error' } }]);
    expect(bench.provider.calls).toEqual([]);
    expect(bench.incidents.defects).toMatchObject([{ requestId: 'req_1' }]);
    expect(bench.store.only.closing).toMatchObject({ state: 'failed', errorCode: 'gateway_error' });
  });

  it('between attempts ends the interaction and closes its record', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [failsWith(503)], an: [answers()] } });
    bench.store.mood = moods({ advance: ['defect'] });

    const reply = await bench.complete();

    expect(reply.error).toEqual({ code: 'gateway_error' });
    expect(bench.provider.calls).toHaveLength(1);
    expect(bench.incidents.defects).toHaveLength(1);
    expect(bench.store.only.closing).toMatchObject({ state: 'failed', attempts: 1 });
  });
});

describe('a bug of an adapter', () => {
  const BUGS = [
    {
      name: 'before the headers',
      bug: { kind: 'throws', where: 'send', afterMs: 80 } as const,
      stream: false,
      stage: 'before_headers',
    },
    {
      name: 'in the body',
      bug: { kind: 'throws', where: 'read', afterMs: 80 } as const,
      stream: false,
      stage: 'before_output',
    },
    {
      name: 'in the gate',
      bug: { kind: 'streams', headersAfterMs: 80, groups: [], then: 'defect' } as const,
      stream: true,
      stage: 'before_output',
    },
  ];

  it.each(BUGS)(
    '$name is a local fault: reported, on record, and no fault of the provider',
    async ({ bug, stream, stage }) => {
      const bench = new ChatBench({ script: { 'oa-1': [bug] }, policy: null });

      const reply = await bench.complete({ request: { stream } });

      expect(reply.events).toMatchObject([{ kind: 'fail', error: { code: 'gateway_error' } }]);
      expect(bench.incidents.defects).toMatchObject([
        { requestId: 'req_1', cause: { message: 'a bug of the adapter' } },
      ]);
      expect(bench.store.only.closing).toMatchObject({
        state: 'failed',
        errorCode: 'gateway_error',
        attempts: 1,
      });
      expect(bench.store.ledger).toMatchObject([
        { outcome: { fault: { class: 'local', code: 'defect', stage } } },
      ]);
      expect(bench.health.get('oa-1').success).toBeNull();
      expect(bench.clock.pendingTimers).toBe(0);
    },
  );

  it.each(BUGS)('$name leads to the next route', async ({ bug, stream }) => {
    const bench = new ChatBench({
      script: { 'oa-1': [bug], an: [stream ? streamsWords('B') : answers('B')] },
    });

    const reply = await bench.complete({ request: { stream } });

    expect(reply.endings).toMatchObject([{ kind: stream ? 'end' : 'answer' }]);
    expect(bench.store.only.closing).toMatchObject({ state: 'served', served: { provider: 'anthropic' } });
  });

  it('after output ends a partial answer', async () => {
    const words = streamsWords('A');
    const bug =
      words.kind === 'streams'
        ? { ...words, groups: words.groups.slice(0, 2), then: 'defect' as const }
        : HANGS;
    const bench = new ChatBench({ script: { 'oa-1': [bug], an: [answers()] } });

    const reply = await bench.stream();

    expect(reply.text).toBe('roleA');
    expect(reply.endings).toMatchObject([{ kind: 'fail', error: { code: 'gateway_error' } }]);
    expect(bench.store.only.closing).toMatchObject({ state: 'partial', attempts: 1 });
    expect(bench.store.ledger[0]?.usage).toMatchObject({ outputTokens: 1, source: 'estimated' });
    expect(bench.provider.calls).toHaveLength(1);
  });

  it('uses up a hop, so that no more routes are asked than the policy says', async () => {
    const bug = { kind: 'throws', where: 'read', afterMs: 80 } as const;
    const script = { 'oa-1': [failsWith(500)], 'oa-2': [bug] };
    const settings = { maxHops: 1, retry: { maxRetries: 2 } };
    const bench = new ChatBench({ script, policy: { match: ['*'], primary: GPT, settings } });
    for (const _ of [1, 2, 3]) await bench.complete();

    await bench.complete();

    expect(bench.circuitOf('oa-1').state).toBe('open');
    expect(bench.store.interactions.get('req_4')?.attempts).toMatchObject([{ route: { id: 'oa-2' } }]);
  });

  it('gives the trial slot back', async () => {
    const bug = { kind: 'throws', where: 'send', afterMs: 80 } as const;
    const bench = new ChatBench({
      script: { 'oa-1': [failsWith(500), failsWith(500), failsWith(500), bug] },
      policy: { match: ['*'], primary: GPT, settings: { retry: { maxRetries: 2 } } },
    });
    await bench.complete();

    await bench.complete();

    expect(bench.store.interactions.get('req_2')?.attempts).toMatchObject([{ trial: true }]);
    expect(bench.circuitOf('oa-1')).toMatchObject({ state: 'open', trialSinceMs: null });
  });
});

describe('a shutdown', () => {
  it('ends a running attempt and says why', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [HANGS], an: [answers()] } });
    const { reply, done } = bench.begin();
    await bench.clock.advance(500);
    bench.shutdown.abort();

    await bench.clock.run();
    await done;

    expect(reply.events).toMatchObject([{ kind: 'fail', atMs: 500, error: { code: 'shutting_down' } }]);
    expect(bench.store.only.closing).toMatchObject({ state: 'failed', errorCode: 'shutting_down' });
    expect(bench.provider.calls).toHaveLength(1);
    expect(bench.health.get('oa-1').success).toBeNull();
  });

  it('ends a committed stream as partial', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [streamsWords('A', 'B', 'C')], an: [answers()] } });
    const { reply, done } = bench.begin({ request: { stream: true } });
    await bench.clock.advance(170);
    bench.shutdown.abort();

    await bench.clock.run();
    await done;

    expect(reply.kinds).toEqual(['write', 'fail']);
    expect(reply.error).toEqual({ code: 'shutting_down' });
    expect(bench.store.only.closing?.state).toBe('partial');
  });

  it('does not wait for the end of a backoff', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [failsWith(503)], an: [answers()] } });
    const { reply, done } = bench.begin();
    await bench.clock.advance(500);
    bench.shutdown.abort();

    await bench.clock.run();
    await done;

    expect(reply.events).toMatchObject([{ kind: 'fail', atMs: 500, error: { code: 'shutting_down' } }]);
    expect(bench.store.only.closing).toMatchObject({ state: 'failed', attempts: 1 });
    expect(bench.clock.pendingTimers).toBe(0);
  });

  it('lets no interaction begin', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [answers()], an: [answers()] } });
    bench.shutdown.abort();

    const reply = await bench.complete();

    expect(reply.error).toEqual({ code: 'shutting_down' });
    expect(bench.provider.calls).toEqual([]);
  });
});
