import type { Channel } from '../../../src/domain/catalog/channel';
import type { ProbeSchedule } from '../../../src/domain/catalog/probe-schedule';
import { DEFAULT_BREAKER } from '../../../src/domain/health/circuit-breaker';
import { openedUntil } from '../../../src/domain/health/route-health';
import type { Signal } from '../../../src/domain/resilience/signal';
import { InMemoryProbes } from '../../../src/infra/health/in-memory-probes';
import { ProbeChannels } from '../../../src/usecase/health/probe-channels';
import type { ModelLister } from '../../../src/usecase/port/model-lister';
import { FakeClock, settled } from '../../support/fake-clock';
import { InMemoryConfiguration } from '../../support/in-memory-configuration';
import { InMemoryRouteHealth } from '../../support/in-memory-route-health';
import { RecordingIncidents } from '../../support/recording-incidents';
import { aChannel, aModel, anOffering, aPrice } from '../../support/sample-catalog';
import { aStatus } from '../../support/sample-frames';
import { answers, failsWith } from '../../support/scripted-behaviours';
import { ScriptedProvider } from '../../support/scripted-provider';
import type { Behaviour } from '../../support/scripted-provider';

const TEN_SECONDS: ProbeSchedule = { kind: 'models', intervalMs: 10_000 };

/** Lists of models after some time, or a failure; `Infinity`: nothing until it is ended. */
class ScriptedModels implements ModelLister {
  readonly asked: string[] = [];
  running = 0;
  afterMs = 20;
  signal: Signal | null = null;

  constructor(private readonly clock: FakeClock) {}

  async listModels(channel: Channel, abort: AbortSignal): Promise<Signal | null> {
    this.asked.push(channel.id);
    this.running += 1;
    const woke =
      this.afterMs < Infinity
        ? await this.clock.sleep(this.afterMs, abort)
        : await new Promise<'aborted'>((resolve) =>
            abort.addEventListener('abort', () => resolve('aborted')),
          );
    this.running -= 1;
    return woke === 'aborted' ? { kind: 'network', code: 'UND_ERR_ABORTED' } : this.signal;
  }
}

function bench(schedule: ProbeSchedule | null, completion: Behaviour = answers()) {
  const clock = new FakeClock(1_000_000);
  const channel = aChannel({
    id: 'ch-a',
    provider: 'openai',
    options: { ...aChannel().options, probe: schedule },
  });
  const configuration = new InMemoryConfiguration({
    providers: [],
    channels: [channel, aChannel({ id: 'ch-b' })],
    models: [aModel('gpt-s'), aModel('gpt-l')],
    offerings: [
      anOffering({ id: 'a-unpriced', channel: 'ch-a', model: 'gpt-l', price: null }),
      anOffering({ id: 'a-dear', channel: 'ch-a', model: 'gpt-l', price: aPrice(100, 100) }),
      anOffering({ id: 'a-cheap', channel: 'ch-a', model: 'gpt-s', price: aPrice(1, 1) }),
      anOffering({ id: 'a-off', channel: 'ch-a', model: 'gpt-s', price: aPrice(0, 0), enabled: false }),
      anOffering({ id: 'b-1', channel: 'ch-b', model: 'gpt-s' }),
    ],
  });
  const models = new ScriptedModels(clock);
  const providers = new ScriptedProvider(clock, () => completion);
  const health = new InMemoryRouteHealth();
  const probes = new InMemoryProbes();
  const incidents = new RecordingIncidents();
  const shutdown = new AbortController();
  const probing = new ProbeChannels({
    ...{ configuration, models, providers, health, probes, incidents, clock },
    timer: clock,
    breaker: DEFAULT_BREAKER,
    shutdown: shutdown.signal,
  });
  /** Time passes, and the worker looks every second. */
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      probing.tick();
      await clock.advance(1_000);
    }
  };
  const stateOf = (route: string): string => health.get(route).breaker.state;
  return {
    clock,
    channel,
    configuration,
    models,
    providers,
    health,
    probes,
    incidents,
    shutdown,
    probing,
    pass,
    stateOf,
  };
}

describe('probes', () => {
  it('are off where nothing is set', async () => {
    const { pass, models } = bench(null);

    await pass(60);

    expect(models.asked).toEqual([]);
  });

  it('ask at once, and then once in each interval', async () => {
    const { pass, models } = bench(TEN_SECONDS);

    await pass(31);

    expect(models.asked).toEqual(['ch-a', 'ch-a', 'ch-a', 'ch-a']);
  });

  it('leave a channel alone that is switched off', async () => {
    const { pass, models, configuration, channel } = bench(TEN_SECONDS);
    await configuration.putChannel({ ...channel, enabled: false });

    await pass(30);

    expect(models.asked).toEqual([]);
  });

  it('are never two at a time on one channel, and end after ten seconds', async () => {
    const { pass, models, probes, clock } = bench({ kind: 'models', intervalMs: 5_000 });
    models.afterMs = Infinity;

    await pass(8);
    const whileWaiting = models.running;
    await pass(3);

    expect(whileWaiting).toBe(1);
    expect(probes.get('ch-a').last).toMatchObject({
      verdict: 'failed',
      startedAtMs: 1_000_000,
      endedAtMs: 1_010_000,
      fault: { class: 'timeout', code: 'headers_timeout' },
    });
    await clock.run();
  });

  it('end with the gateway, and say nothing then', async () => {
    const { probing, models, probes, shutdown, clock } = bench(TEN_SECONDS);
    models.afterMs = Infinity;
    probing.tick();
    await settled();

    shutdown.abort();
    await probing.idle();
    probing.tick();

    expect(models.asked).toHaveLength(1);
    expect(probes.get('ch-a').last?.verdict).toBe('inconclusive');
    expect(clock.pendingTimers).toBe(0);
  });

  it('open every closed route of their channel after three failures in a row, and tell it once', async () => {
    const { pass, models, health, incidents, stateOf } = bench(TEN_SECONDS);
    models.signal = aStatus(503);

    await pass(20);
    const afterTwo = stateOf('a-cheap');
    await pass(1);

    expect(afterTwo).toBe('closed');
    expect(['a-cheap', 'a-dear', 'a-unpriced', 'b-1'].map(stateOf)).toEqual([
      'open',
      'open',
      'open',
      'closed',
    ]);
    expect(health.get('a-cheap').breaker).toMatchObject({ untilMs: 1_080_020 });
    expect(incidents.failedProbes).toEqual([
      {
        provider: 'openai',
        channel: 'ch-a',
        fault: { class: 'server_error', code: null, status: 503 },
        opened: ['a-unpriced', 'a-dear', 'a-cheap', 'a-off'],
      },
    ]);
  });

  it('close nothing when the provider answers again', async () => {
    const { pass, health, stateOf } = bench(TEN_SECONDS);
    health.set('a-cheap', openedUntil(health.get('a-cheap'), 9_000_000));

    await pass(60);

    expect(stateOf('a-cheap')).toBe('open');
  });

  it('survive a defect of an adapter, which is no failure of the provider', async () => {
    const { pass, probes, models } = bench(TEN_SECONDS);
    models.listModels = () => Promise.reject(new Error('a bug'));

    await pass(31);

    expect(probes.get('ch-a')).toMatchObject({ last: { verdict: 'inconclusive' }, failuresAtMs: [] });
  });
});

describe('a probe by completion', () => {
  const BY_COMPLETION: ProbeSchedule = { kind: 'completion', intervalMs: 10_000 };

  it.each([
    { name: 'an answer', behaviour: answers(), verdict: 'answered' },
    { name: 'a failure', behaviour: failsWith(500), verdict: 'failed' },
  ])('asks the cheapest enabled route, and takes $name as $verdict', async ({ behaviour, verdict }) => {
    const { pass, providers, probes, models } = bench(BY_COMPLETION, behaviour);

    await pass(1);

    expect(providers.calls.map(({ route }) => route)).toEqual(['a-cheap']);
    expect(models.asked).toEqual([]);
    expect(probes.get('ch-a').last?.verdict).toBe(verdict);
  });

  it('asks nobody where the channel serves nothing', async () => {
    const { pass, providers, probes, configuration } = bench(BY_COMPLETION);
    for (const id of ['a-unpriced', 'a-dear', 'a-cheap']) await configuration.remove('offering', id);

    await pass(5);

    expect(providers.calls).toEqual([]);
    expect(probes.get('ch-a').last).toBeNull();
  });
});
