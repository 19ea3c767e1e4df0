import type { ProbeResult } from '../../../../domain/health/channel-probe';
import type { CircuitView, ProviderHealth } from '../../../../domain/health/provider-health';
import type { JsonObject } from '../../../../domain/kernel/json';
import type { ChannelView, HealthView, RouteView } from '../../../../usecase/health/read-health';
import { rfc3339, rfc3339OrNull } from '../instant';

export function presentHealth({ sharing, providers, channels, routes }: HealthView): JsonObject {
  return {
    sharing,
    providers: providers.map(presentProviderHealth),
    channels: channels.map(presentChannelHealth),
    routes: routes.map(presentRoute),
  };
}

function presentChannelHealth({ channel, probe }: ChannelView): JsonObject {
  const schedule = channel.options.probe ?? null;
  return {
    channel: channel.id,
    provider: channel.provider,
    enabled: channel.enabled,
    probe: schedule === null ? null : { kind: schedule.kind, interval_ms: schedule.intervalMs },
    last_probe: probe.last === null ? null : presentProbe(probe.last),
    failed_probes_in_row: probe.failuresAtMs.length,
  };
}

function presentProbe({ verdict, startedAtMs, endedAtMs, fault }: ProbeResult): JsonObject {
  return {
    at: rfc3339(endedAtMs),
    verdict,
    duration_ms: endedAtMs - startedAtMs,
    fault: fault?.class ?? null,
    code: fault?.code ?? null,
    status: fault?.status ?? null,
  };
}

function presentProviderHealth({ provider, healthy, latencyMs, costMicroUsd }: ProviderHealth): JsonObject {
  return { provider, healthy, latency_ms: latencyMs, cost_micro_usd: costMicroUsd };
}

function presentRoute({ route, circuit, window, ...view }: RouteView): JsonObject {
  return {
    offering: route.id,
    provider: route.provider,
    channel: route.channel.id,
    model: route.model,
    enabled: route.enabled,
    circuit: presentCircuit(circuit),
    window: { successes: window.successes, failures: window.failures },
    throttled_until: rfc3339OrNull(view.throttledUntilMs),
    ewma: { first_output_ms: view.firstOutputMs, total_ms: view.totalMs, success: view.successShare },
  };
}

function presentCircuit(circuit: CircuitView): JsonObject {
  switch (circuit.state) {
    case 'closed':
      return { state: 'closed' };
    case 'open':
      return { state: 'open', until: rfc3339(circuit.untilMs), trial_taken: circuit.trialTaken };
    case 'half_open':
      return { state: 'half_open', trial_taken: circuit.trialTaken };
  }
}
