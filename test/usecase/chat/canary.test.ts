import { displayedModel } from '../../../src/domain/interaction/served-facts';
import { ChatBench, POLICY_P } from '../../support/chat-bench';
import { CLAUDE } from '../../support/sample-plan';
import { answers, failsWith } from '../../support/scripted-behaviours';

/** Every request is drawn for claude-s; behind it stands gpt-s. */
const DRAWN = { ...POLICY_P, canary: { target: CLAUDE, percent: 100 } };
const REF = { tenant: 'ten_1', policy: 'main', version: 7 };

describe('a request that is drawn for a canary', () => {
  it('is served by it as its primary: recorded as such, and no fallback to anyone', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [answers()], an: [answers()] }, policy: DRAWN });

    const { facts } = await bench.complete();

    expect(bench.store.only.opening.canary).toBe(true);
    expect(bench.store.only.closing).toMatchObject({ served: { model: 'claude-s' }, fallbackReason: null });
    expect(facts).toMatchObject({ model: 'claude-s', provider: 'anthropic', failover: null });
    expect(facts && displayedModel(facts)).toBe('claude-s');
    expect(bench.canaries).toEqual([{ ...REF, outcome: 'served' }]);
  });

  it('falls back from it as from any primary, and that counts against it', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [answers()], an: [failsWith(501)] }, policy: DRAWN });

    const { facts } = await bench.complete();

    expect(facts && displayedModel(facts)).toBe('gpt-s→gpt-s (fallback: claude-s)');
    expect(bench.canaries).toEqual([{ ...REF, outcome: 'failed' }]);
  });

  it('counts against it even when its circuit is open already', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [answers()], an: [failsWith(500)] }, policy: DRAWN });

    for (let request = 0; request < 4; request += 1) await bench.complete();

    expect(bench.circuitOf('an').state).toBe('open');
    expect(bench.canaries.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'failed', 'failed']);
  });

  it.each([
    { name: 'its caller was wrong', behaviour: failsWith(400) },
    { name: 'its caller left', behaviour: answers('late', 5_000) },
  ])('says nothing of it when $name', async ({ behaviour }) => {
    const bench = new ChatBench({ script: { 'oa-1': [answers()], an: [behaviour] }, policy: DRAWN });
    const { reply, done } = bench.begin();
    reply.leaveAfter(1_000);

    await bench.clock.run();
    await done;

    expect(bench.canaries).toEqual([]);
  });
});

describe('a request that is not drawn', () => {
  it('is no canary and tells nothing of one', async () => {
    const policy = { ...DRAWN, canary: { ...DRAWN.canary, percent: 0 } };
    const bench = new ChatBench({ script: { 'oa-1': [answers()], an: [answers()] }, policy });

    await bench.complete();

    expect(bench.store.only.opening.canary).toBe(false);
    expect(bench.canaries).toEqual([]);
  });
});
