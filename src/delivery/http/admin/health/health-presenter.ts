import type { CircuitView, ProviderHealth } from '../../../../domain/health/provider-health';
import type { JsonObject } from '../../../../domain/kernel/json';
import type { HealthView, RouteView } from '../../../../usecase/health/read-health';
import { rfc3339, rfc3339OrNull } from '../instant';

export function presentHealth({ providers, routes }: HealthView): JsonObject {
  return { providers: providers.map(presentProviderHealth), routes: routes.map(presentRoute) };
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
