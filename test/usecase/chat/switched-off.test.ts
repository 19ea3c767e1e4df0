import { ChatBench } from '../../support/chat-bench';
import { answers, failsWith } from '../../support/scripted-behaviours';

const RETRYING = { match: ['*'], primary: { provider: 'openai', model: 'gpt-s' } };

describe('a route that an operator switches off while a request runs', () => {
  it('is not fallen back to', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [failsWith(501)], an: [answers()] } });
    const { reply, done } = bench.begin();
    bench.switchedOff.add('an');

    await bench.clock.run();
    await done;

    expect(bench.provider.callsOf('an')).toHaveLength(0);
    expect(reply.error).toMatchObject({
      code: 'provider_failed',
      refusals: [{ route: { id: 'an' }, detail: { reason: 'disabled' } }],
    });
  });

  it('is not retried, even if it goes off during the wait', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [failsWith(503)] }, policy: RETRYING });
    const { reply, done } = bench.begin();
    await bench.clock.advance(100);
    bench.switchedOff.add('oa-1');

    await bench.clock.run();
    await done;

    expect(bench.provider.callsOf('oa-1')).toHaveLength(1);
    expect(reply.error).toMatchObject({ code: 'provider_failed' });
  });

  it('is passed over for the next one', async () => {
    const bench = new ChatBench({ script: { 'oa-1': [answers('primary')], 'oa-2': [answers('second')] } });
    bench.switchedOff.add('oa-1');

    const reply = await bench.complete();

    expect(bench.provider.callsOf('oa-1')).toHaveLength(0);
    expect(reply.facts).toMatchObject({ provider: 'openai', attempts: 1 });
  });
});
