import type { Channel } from '../../domain/catalog/channel';
import type { Route } from '../../domain/catalog/route';
import { circuitViewOf } from '../../domain/health/route-health';
import type { RouteHealth } from '../../domain/health/route-health';
import type { ChannelProbe } from '../../domain/health/channel-probe';
import type { BreakerSettings } from '../../domain/health/circuit-breaker';
import { meanOf } from '../../domain/health/ewma';
import { countOutcomes, EMPTY_WINDOW } from '../../domain/health/outcome-window';
import type { OutcomeCounts } from '../../domain/health/outcome-window';
import type { CircuitView, ProviderHealth } from '../../domain/health/provider-health';
import { isThrottled } from '../../domain/health/throttle';
import type { ProviderId } from '../../domain/kernel/ids';
import type { Clock } from '../port/clock';
import type { Configuration } from '../port/configuration';
import type { ProbeStore } from '../port/probe-store';
import type { RouteHealthStore } from '../port/route-health';
import type { Sharing, SharingState } from '../port/sharing';

export type ReadHealthDeps = Readonly<{
  configuration: Pick<Configuration, 'catalog'>;
  health: Pick<RouteHealthStore, 'get'>;
  probes: Pick<ProbeStore, 'get'>;
  sharing: Sharing;
  clock: Clock;
  breaker: BreakerSettings;
}>;

/** What this process has observed of a route. Means are null until something was observed. */
export type RouteView = Readonly<{
  route: Route;
  circuit: CircuitView;
  /** Outcomes that count, within the breaker's window. */
  window: OutcomeCounts;
  throttledUntilMs: number | null;
  firstOutputMs: number | null;
  totalMs: number | null;
  successShare: number | null;
}>;

/** A channel with what its probes saw. */
export type ChannelView = Readonly<{ channel: Channel; probe: ChannelProbe }>;

export type HealthView = Readonly<{
  sharing: SharingState;
  providers: readonly ProviderHealth[];
  channels: readonly ChannelView[];
  routes: readonly RouteView[];
}>;

/** The health of every route in the catalog, as this process sees it now. */
export class ReadHealth {
  constructor(private readonly deps: ReadHealthDeps) {}

  execute(): HealthView {
    const { configuration, health, probes, sharing, clock, breaker } = this.deps;
    const catalog = configuration.catalog();
    const nowMs = clock.nowMs();
    const routes = [...catalog.routes.values()]
      .flat()
      .map((route) => viewOf(route, health.get(route.id), nowMs, breaker));
    const providers = [...catalog.providers.keys()].map((provider) => providerView(provider, routes));
    const channels = [...catalog.channels.values()].map((channel) => ({
      channel,
      probe: probes.get(channel.id),
    }));
    return { sharing: sharing.state(), providers, channels, routes };
  }
}

function viewOf(route: Route, health: RouteHealth, nowMs: number, settings: BreakerSettings): RouteView {
  const { breaker, throttledUntilMs } = health;
  return {
    route,
    circuit: circuitViewOf(breaker, nowMs, settings),
    window: countOutcomes(breaker.state === 'closed' ? breaker.window : EMPTY_WINDOW, nowMs, settings),
    throttledUntilMs: isThrottled(throttledUntilMs, nowMs) ? throttledUntilMs : null,
    firstOutputMs: meanOf(health.firstOutput),
    totalMs: meanOf(health.total),
    successShare: meanOf(health.success),
  };
}

/** A provider is as healthy as its best route: one that may be used makes it usable. */
function providerView(provider: ProviderId, views: readonly RouteView[]): ProviderHealth {
  const own = views.filter(({ route }) => route.provider === provider && route.enabled);
  return {
    provider,
    healthy: own.some(
      ({ circuit, throttledUntilMs }) => circuit.state !== 'open' && throttledUntilMs === null,
    ),
    latencyMs: least(own.map(({ firstOutputMs }) => firstOutputMs)),
    costMicroUsd: least(
      own.map(({ route }) => (route.price === null ? null : route.price.input + route.price.output)),
    ),
  };
}

function least(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.min(...known);
}
