import { ChatBench } from '../../support/chat-bench';
import { aStatus, aUsage, anAnswer } from '../../support/sample-frames';
import { answers, breaksWith, failsWith, streamsWords } from '../../support/scripted-behaviours';

describe('an interaction', () => {
  it('is served at once by a healthy primary', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [answers('hello')], an: [answers()] } });

    const reply = await bench.complete();

    expect(reply.events).toEqual([
      {
        kind: 'answer',
        atMs: 150,
        answer: anAnswer('hello'),
        facts: {
          requestedModel: 'gpt-s',
          provider: 'openai',
          model: 'gpt-s',
          attempts: 1,
          failover: null,
          ignoredParams: [],
          responseModel: 'annotated',
        },
      },
    ]);
    expect(bench.provider.calls).toMatchObject([{ route: 'oa-1', correlationId: 'req_1-1' }]);
    expect(bench.store.only).toMatchObject({
      opening: {
        tenant: 'ten_1',
        apiKey: 'key_1',
        requestedModel: 'gpt-s',
        stream: false,
        policy: { name: 'main', version: 7 },
        planned: [
          { id: 'oa-1', provider: 'openai', model: 'gpt-s' },
          { id: 'an', provider: 'anthropic', model: 'claude-s' },
        ],
        refusals: [],
        firstAttempt: { number: 1, action: 'initial' },
      },
      closing: {
        state: 'served',
        errorCode: null,
        served: { route: 'oa-1', provider: 'openai', model: 'gpt-s', upstreamName: 'gpt-s' },
        fallbackReason: null,
        attempts: 1,
        // 10 × 100 + 2 × 400 pico-USD, rounded up to a whole micro-USD.
        costMicroUsd: 1,
      },
    });
    expect(bench.clock.pendingTimers).toBe(0);
  });

  it('streams an answer as it comes', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [streamsWords('Hel', 'lo')], an: [answers()] } });

    const reply = await bench.stream();

    expect(reply.events).toMatchObject([
      { kind: 'write', atMs: 150, text: 'roleHel' },
      { kind: 'write', atMs: 200, text: 'lo' },
      { kind: 'write', atMs: 250, text: '<stop>' },
      { kind: 'end', atMs: 250 },
    ]);
    expect(bench.store.only.closing).toMatchObject({ state: 'served', attempts: 1 });
    expect(bench.store.ledger).toMatchObject([
      {
        status: 200,
        upstreamRequestId: 'up-req_1-1',
        outcome: { kind: 'served', finishReason: 'stop' },
        usage: { inputTokens: 10, outputTokens: 2, source: 'estimated' },
      },
    ]);
  });

  it('retries after the backoff, and then serves', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [failsWith(503), answers()], an: [answers()] } });

    const reply = await bench.complete();

    // 80 ms until the 503, 1,000 ms of backoff, 150 ms for the answer.
    expect(reply.events).toMatchObject([
      { kind: 'answer', atMs: 1_230, facts: { attempts: 2, failover: null } },
    ]);
    expect(bench.store.ledger).toMatchObject([
      { action: 'initial', backoffMs: 0, status: 503 },
      { action: 'retry', backoffMs: 1_000, status: 200 },
    ]);
    expect(bench.store.only.closing).toMatchObject({ state: 'served', fallbackReason: null, attempts: 2 });
  });

  it('waits as long as the provider asks before a retry', async () => {
    const bench = new ChatBench({
      script: { 'oa-1': [failsWith(429, 80, { retryAfter: '7' }), answers()], an: [answers()] },
    });

    const reply = await bench.complete();

    expect(reply.events).toMatchObject([{ kind: 'answer', atMs: 7_230 }]);
    expect(bench.store.ledger.map(({ backoffMs }) => backoffMs)).toEqual([0, 7_000]);
  });

  it('keeps every attempt on record when a model fallback answers (B52)', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [failsWith(503)], an: [answers('bonjour')] } });
    const startMs = bench.clock.nowMs();

    const reply = await bench.complete();

    expect(reply.facts).toEqual({
      requestedModel: 'gpt-s',
      provider: 'anthropic',
      model: 'claude-s',
      attempts: 3,
      failover: {
        reason: 'primary_provider_5xx',
        fromProvider: 'openai',
        fromModel: 'gpt-s',
        toProvider: 'anthropic',
        toModel: 'claude-s',
        costMultiplier: 3.75,
      },
      ignoredParams: [],
      responseModel: 'annotated',
    });
    const failed = { kind: 'failed', fault: { class: 'server_error', stage: 'before_headers', status: 503 } };
    const none = { inputTokens: null, outputTokens: null, source: 'none' };
    expect(bench.store.ledger).toMatchObject([
      {
        number: 1,
        action: 'initial',
        route: { id: 'oa-1', upstreamName: 'gpt-s' },
        startedAtMs: startMs,
        backoffMs: 0,
        headersAtMs: startMs + 80,
        firstOutputAtMs: null,
        endedAtMs: startMs + 80,
        status: 503,
        upstreamRequestId: 'up-req_1-1',
        outcome: failed,
        usage: none,
        costPico: 0,
      },
      {
        number: 2,
        action: 'retry',
        startedAtMs: startMs + 1_080,
        backoffMs: 1_000,
        endedAtMs: startMs + 1_160,
        upstreamRequestId: 'up-req_1-2',
        outcome: failed,
      },
      {
        number: 3,
        action: 'model_fallback',
        route: { id: 'an', upstreamName: 'gpt-s' },
        startedAtMs: startMs + 1_160,
        backoffMs: 0,
        headersAtMs: startMs + 1_260,
        firstOutputAtMs: startMs + 1_310,
        endedAtMs: startMs + 1_310,
        status: 200,
        upstreamRequestId: 'up-req_1-3',
        outcome: { kind: 'served', finishReason: 'stop' },
        usage: aUsage(10, 2),
        costPico: 6_000,
      },
    ]);
    expect(bench.store.only.closing).toMatchObject({
      state: 'served',
      served: { route: 'an', provider: 'anthropic', model: 'claude-s' },
      fallbackReason: 'primary_provider_5xx',
      attempts: 3,
    });
  });

  it('falls back to another channel of the same provider without calling it a failover', async () => {
    const bench = new ChatBench({
      script: { 'oa-1': [failsWith(401)], 'oa-2': [answers('second')] },
      policy: null,
    });

    const reply = await bench.complete();

    expect(reply.facts).toMatchObject({ provider: 'openai', model: 'gpt-s', attempts: 2, failover: null });
    expect(bench.store.ledger.map(({ action }) => action)).toEqual(['initial', 'channel_fallback']);
    expect(bench.store.only.closing).toMatchObject({ fallbackReason: null });
  });

  it('answers with an error when every route has failed', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [failsWith(503)], an: [failsWith(529)] } });

    const reply = await bench.complete();

    expect(reply.kinds).toEqual(['fail']);
    expect(reply.error).toMatchObject({ code: 'provider_failed' });
    expect(bench.store.only.closing).toMatchObject({
      state: 'failed',
      errorCode: 'provider_failed',
      served: null,
    });
  });

  it('stops at one call when the caller forbids a replay', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [failsWith(503)], an: [answers()] } });

    const reply = await bench.complete({ options: { forbidsReplay: true } });

    expect(reply.error).toMatchObject({ code: 'provider_failed' });
    expect(bench.provider.calls).toHaveLength(1);
  });

  it('stops at one call when the provider may have run tools of its own', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [failsWith(503)], an: [answers()] } });
    const body = { tools: [{ type: 'web_search' }] };

    await bench.complete({ request: { body } });

    expect(bench.provider.calls).toHaveLength(1);
  });

  it('returns an error of the caller as the provider said it', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [failsWith(422)], an: [answers()] } });

    const reply = await bench.complete();

    expect(reply.error).toMatchObject({ code: 'provider_error_returned', status: 422 });
    expect(bench.provider.calls).toHaveLength(1);
    expect(bench.health.get('oa-1').success).toBeNull();
  });

  it('counts a failing frame of a whole answer as one before output', async () => {
    const broken = {
      kind: 'answers' as const,
      headersAfterMs: 100,
      bodyAfterMs: 50,
      outcome: { kind: 'failed' as const, signal: aStatus(200) },
    };
    const bench = new ChatBench({ script: { 'oa-1': [broken], an: [answers()] } });

    const reply = await bench.complete();

    expect(reply.kinds).toEqual(['answer']);
    expect(bench.store.ledger[0]?.outcome).toMatchObject({
      fault: { class: 'malformed', stage: 'before_output' },
    });
  });

  it.each([
    { name: 'the policy', policyMs: 5_000, callerMs: null, maxMs: 600_000 },
    { name: 'the caller', policyMs: 300_000, callerMs: 5_000, maxMs: 600_000 },
    { name: 'the gateway', policyMs: 300_000, callerMs: null, maxMs: 5_000 },
  ])('has the shortest deadline: that of $name', async ({ policyMs, callerMs, maxMs }) => {
    const bench = new ChatBench({
      script: { 'oa-1': [answers('late', 60_000)], an: [answers()] },
      policy: {
        match: ['*'],
        primary: { provider: 'openai', model: 'gpt-s' },
        settings: { timeouts: { deadlineMs: policyMs }, retry: { maxRetries: 0 } },
      },
      maxDeadlineMs: maxMs,
    });

    const reply = await bench.complete({ options: { timeoutMs: callerMs } });

    expect(reply.events).toMatchObject([{ kind: 'fail', atMs: 5_000, error: { code: 'provider_timeout' } }]);
  });

  it('gives up a connection that was refused, and asks the fallback', async () => {
    const refused = breaksWith({ kind: 'network', code: 'ECONNREFUSED' });
    const bench = new ChatBench({ script: { 'oa-1': [refused], an: [answers()] } });

    const reply = await bench.complete();

    expect(reply.facts?.failover?.reason).toBe('primary_provider_network');
    expect(bench.store.ledger[0]).toMatchObject({ status: null, headersAtMs: null, upstreamRequestId: null });
  });
});
