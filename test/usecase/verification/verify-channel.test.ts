import { VerifyChannel } from '../../../src/usecase/verification/verify-channel';
import { FakeClock } from '../../support/fake-clock';
import { InMemoryConfiguration } from '../../support/in-memory-configuration';
import { sampleEntries } from '../../support/sample-catalog';
import { ScriptedProvider, type Behaviour } from '../../support/scripted-provider';
import { SequentialIds } from '../../support/sequential-ids';

const NEVER: Behaviour = {
  kind: 'fails',
  afterMs: Infinity,
  signal: { kind: 'network', code: 'ECONNRESET' },
  status: null,
};

function bench(behaviour: Behaviour) {
  const clock = new FakeClock();
  const configuration = new InMemoryConfiguration(sampleEntries());
  const providers = new ScriptedProvider(clock, () => behaviour);
  const shutdown = new AbortController();
  const verifyChannel = new VerifyChannel({
    providers,
    clock,
    timer: clock,
    shutdown: shutdown.signal,
    configuration,
    store: configuration,
    ids: new SequentialIds(),
  });
  return { clock, configuration, providers, shutdown, verifyChannel };
}

describe('a verification in time', () => {
  it('gives no call more than 30 seconds, and all of them five minutes', async () => {
    const { clock, providers, verifyChannel } = bench(NEVER);
    const startedAtMs = clock.nowMs();
    await verifyChannel.execute('ch-oa-1', []);
    const running = Promise.all(
      ['ch-oa-1', 'ch-oa-2'].map((channel) => verifyChannel.execute(channel, null)),
    );

    await clock.run();
    const [verified] = await running;

    const times = providers.calls.map((call) => (call.endedAtMs ?? Infinity) - call.startedAtMs);
    expect(Math.max(...times)).toBe(30_000);
    expect(clock.nowMs() - startedAtMs).toBeLessThanOrEqual(300_000);
    expect(verified).toMatchObject({ ok: true, value: { offerings: [{ offering: 'oa-1' }] } });
    const [checked] = verified?.ok === true ? verified.value.offerings : [];
    expect(checked?.results.every(({ verdict }) => verdict === 'inconclusive')).toBe(true);
  });

  it('leaves no timer behind', async () => {
    const { clock, verifyChannel } = bench({ ...NEVER, afterMs: 5 });
    const running = verifyChannel.execute('ch-oa-1', null);

    await clock.run();
    await running;

    expect(clock.pendingTimers).toBe(0);
  });

  it('ends with the process', async () => {
    const { clock, providers, shutdown, verifyChannel } = bench(NEVER);
    const running = verifyChannel.execute('ch-oa-1', null);
    await clock.advance(1_000);

    shutdown.abort();
    await clock.run();
    await running;

    expect(providers.calls).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
  });

  it('is free again after a store that was gone', async () => {
    const { clock, configuration, verifyChannel } = bench({ ...NEVER, afterMs: 0 });
    configuration.unavailable = true;
    const failing = verifyChannel.execute('ch-oa-1', null);
    const failure = expect(failing).rejects.toThrow('the database is gone');
    await clock.run();
    await failure;
    configuration.unavailable = false;

    const again = verifyChannel.execute('ch-oa-1', null);
    await clock.run();

    expect((await again).ok).toBe(true);
  });
});
