import type { Channel } from '../../domain/catalog/channel';
import type { ProbeSchedule } from '../../domain/catalog/probe-schedule';
import type { BreakerSettings } from '../../domain/health/circuit-breaker';
import { afterProbe, opensCircuit, probeResultOf } from '../../domain/health/channel-probe';
import type { ChannelProbe } from '../../domain/health/channel-probe';
import { openedUntil } from '../../domain/health/route-health';
import type { ChannelId } from '../../domain/kernel/ids';
import { classify } from '../../domain/resilience/fault';
import type { AbortCause, Signal } from '../../domain/resilience/signal';
import type { Clock } from '../port/clock';
import type { Configuration } from '../port/configuration';
import type { IncidentLog } from '../port/incident-log';
import type { ProbeStore } from '../port/probe-store';
import type { RouteHealthStore } from '../port/route-health';
import type { Timer } from '../port/timer';
import { probe } from './probe-call';
import type { ProbeCallDeps } from './probe-call';

export type ProbeChannelsDeps = ProbeCallDeps &
  Readonly<{
    configuration: Pick<Configuration, 'catalog'>;
    probes: ProbeStore;
    health: RouteHealthStore;
    incidents: Pick<IncidentLog, 'probesFailed'>;
    clock: Clock;
    timer: Timer;
    breaker: BreakerSettings;
    /** Aborted when everything has to end. */
    shutdown: AbortSignal;
  }>;

/** A provider that needs longer for its list of models or for one token is no better than one that is down. */
const PROBE_LIMIT_MS = 10_000;

/** Asks providers before callers do, where an operator wants it (DESIGN §6). Probes may open a circuit and never close one. */
export class ProbeChannels {
  /** Never more than one per channel. */
  private readonly running = new Map<ChannelId, Promise<void>>();

  constructor(private readonly deps: ProbeChannelsDeps) {}

  /** Starts every probe that is due, and waits for none: a slow provider must not delay the probes of the others. */
  tick(): void {
    for (const channel of this.deps.configuration.catalog().channels.values()) {
      const schedule = channel.options.probe ?? null;
      if (schedule === null || !channel.enabled || !this.isDue(channel.id, schedule)) continue;
      const run = this.run(channel, schedule).finally(() => this.running.delete(channel.id));
      this.running.set(channel.id, run);
    }
  }

  /** Resolves when no probe is under way. */
  async idle(): Promise<void> {
    await Promise.all(this.running.values());
  }

  private isDue(channel: ChannelId, { intervalMs }: ProbeSchedule): boolean {
    const { probes, clock, shutdown } = this.deps;
    if (shutdown.aborted || this.running.has(channel)) return false;
    const { last } = probes.get(channel);
    return last === null || clock.nowMs() >= last.startedAtMs + intervalMs;
  }

  private async run(channel: Channel, { kind }: ProbeSchedule): Promise<void> {
    const { configuration, probes, clock } = this.deps;
    const startedAtMs = clock.nowMs();
    const routes = [...configuration.catalog().routes.values()].flat();
    const own = routes.filter((route) => route.channel.id === channel.id);
    const signal = await this.bounded((abort) => probe(this.deps, { channel, routes: own, kind }, abort));
    if (signal === 'nothing_to_ask') return;
    const endedAtMs = clock.nowMs();
    const fault = signal && classify(signal, { stage: 'before_headers', nowMs: endedAtMs });
    const result = probeResultOf(fault, startedAtMs, endedAtMs);
    const after = afterProbe(probes.get(channel.id), result);
    probes.set(channel.id, after);
    if (result.verdict === 'failed') this.openEarly(channel, after);
  }

  /** Our own reason to end it comes first, as for any attempt. An adapter that throws has a bug, which is no one's outage. */
  private async bounded<T>(call: (abort: AbortSignal) => Promise<T>): Promise<T | Signal> {
    const { timer, shutdown } = this.deps;
    const controller = new AbortController();
    let cause: AbortCause | null = null;
    const end = (by: AbortCause): void => {
      cause ??= by;
      controller.abort(by);
    };
    const onShutdown = (): void => end('shutdown');
    shutdown.addEventListener('abort', onShutdown, { once: true });
    const cancel = timer.start(PROBE_LIMIT_MS, () => end('headers_timeout'));
    try {
      const outcome = await call(controller.signal);
      return cause === null ? outcome : { kind: 'aborted', by: cause };
    } catch {
      return { kind: 'local', cause: 'defect', param: null, message: 'a defect of the gateway' };
    } finally {
      cancel();
      shutdown.removeEventListener('abort', onShutdown);
      controller.abort();
    }
  }

  private openEarly({ id, provider }: Channel, after: ChannelProbe): void {
    const { configuration, health, incidents, clock, breaker } = this.deps;
    const untilMs = clock.nowMs() + breaker.openMs;
    const opened = [...configuration.catalog().offerings.values()]
      .filter((offering) => offering.channel === id && opensCircuit(after, health.get(offering.id)))
      .map((offering) => offering.id);
    for (const route of opened) health.set(route, openedUntil(health.get(route), untilMs));
    if (opened.length === 0) return;
    incidents.probesFailed({ provider, channel: id, fault: after.last?.fault ?? null, opened });
  }
}
