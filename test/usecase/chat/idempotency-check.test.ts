import { KEY_RETENTION_MS } from '../../../src/domain/interaction/idempotency';
import { PurgeIdempotencyKeys } from '../../../src/usecase/interaction/purge-idempotency-keys';
import { ChatBench } from '../../support/chat-bench';
import { answers } from '../../support/scripted-behaviours';

const KEYED = { options: { idempotencyKey: 'order-1' } };

describe('a request with an idempotency key', () => {
  let bench: ChatBench;
  beforeEach(() => {
    bench = new ChatBench({ script: { 'oa-1': [answers('hello')] } });
  });

  const calls = (): number => bench.provider.calls.length;

  it('gets what the first one got, and calls nobody', async () => {
    const first = await bench.complete(KEYED);

    const again = await bench.complete(KEYED);

    expect(first.kinds).toEqual(['answer']);
    expect(again.events).toMatchObject([{ kind: 'repeat', requestId: 'req_1' }]);
    expect(calls()).toBe(1);
    expect(bench.store.interactions.size).toBe(1);
    expect(bench.keyUses).toEqual(['new', 'replay']);
  });

  it('is told to wait, and opens nothing, if another one takes the key between its look and its opening', async () => {
    bench.store.commitMs = 5;
    const first = bench.begin(KEYED);
    const second = bench.begin(KEYED);
    await bench.clock.run();
    await Promise.all([first.done, second.done]);

    expect(second.reply.error).toEqual({ code: 'idempotency_in_progress', retryAfterMs: 2_000 });
    expect(first.reply.kinds).toEqual(['answer']);
    expect([...bench.store.interactions.keys()]).toEqual(['req_1']);
    expect(calls()).toBe(1);
    expect(bench.incidents.notRecorded).toEqual([]);
  });

  it('is never sent again for an answer that was too large to keep', async () => {
    const first = bench.begin(KEYED);
    first.reply.keeps = 'nothing';
    await bench.clock.run();
    await first.done;

    const again = await bench.complete(KEYED);

    expect(again.error).toEqual({
      code: 'idempotency_answer_unavailable',
      requestId: 'req_1',
      reason: 'too_large',
    });
    expect(calls()).toBe(1);
    expect(bench.incidents.unreadable).toEqual([]);
    expect(bench.keyUses).toEqual(['new', 'unavailable']);
  });

  it('is not planned while nobody can say who has the key', async () => {
    bench.store.keys.mood = 'unavailable';

    const reply = await bench.complete(KEYED);

    expect(reply.error).toEqual({ code: 'audit_unavailable' });
    expect(calls()).toBe(0);
  });

  it('is new once its key was purged, a day after its claim', async () => {
    await bench.complete(KEYED);
    const { keys } = bench.store;
    const purge = new PurgeIdempotencyKeys({
      keys,
      clock: bench.clock,
      sleeper: bench.clock,
      shutdown: new AbortController().signal,
    });

    bench.clock.start(KEY_RETENTION_MS - 1_000, () => undefined);
    await bench.clock.run();
    expect(await purge.execute()).toBe(0);
    bench.clock.start(1_000, () => undefined);
    await bench.clock.run();
    expect(await purge.execute()).toBe(1);

    expect((await bench.complete(KEYED)).kinds).toEqual(['answer']);
    expect(calls()).toBe(2);
  });

  it('is never sent again for an answer that can not be read any more, and operators are told', async () => {
    await bench.complete(KEYED);
    bench.secrets.name = 'another secret';

    const again = await bench.complete(KEYED);

    expect(again.error).toEqual({
      code: 'idempotency_answer_unavailable',
      requestId: 'req_1',
      reason: 'unreadable',
    });
    expect(calls()).toBe(1);
    expect(bench.incidents.unreadable).toEqual([{ tenant: 'ten_1', requestId: 'req_1' }]);
    expect(bench.keyUses).toEqual(['new', 'unavailable']);
  });
});
