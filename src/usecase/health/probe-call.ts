import type { Channel } from '../../domain/catalog/channel';
import { needsOf } from '../../domain/catalog/contract';
import type { ProbeKind } from '../../domain/catalog/probe-schedule';
import type { Route } from '../../domain/catalog/route';
import { unitCostOf } from '../../domain/health/provider-health';
import type { Signal } from '../../domain/resilience/signal';
import type { ChatProviders } from '../port/chat-provider';
import type { ModelLister } from '../port/model-lister';

export type ProbeCallDeps = Readonly<{ models: ModelLister; providers: ChatProviders }>;

/** What is asked of whom. */
export type ProbeTarget = Readonly<{ channel: Channel; routes: readonly Route[]; kind: ProbeKind }>;

/** Makes one probe. Null: it was answered. `nothing_to_ask`: the channel serves no model that could be asked. */
export async function probe(
  { models, providers }: ProbeCallDeps,
  { channel, routes, kind }: ProbeTarget,
  abort: AbortSignal,
): Promise<Signal | null | 'nothing_to_ask'> {
  if (kind === 'models') return models.listModels(channel, abort);
  const route = cheapest(routes.filter(({ enabled }) => enabled));
  return route === null ? 'nothing_to_ask' : complete(providers, route, abort);
}

/** An unknown price may be any, so it goes last. */
function cheapest(routes: readonly Route[]): Route | null {
  const [first] = routes.toSorted(
    (one, other) => (unitCostOf(one) ?? Infinity) - (unitCostOf(other) ?? Infinity) || 0,
  );
  return first ?? null;
}

async function complete(providers: ChatProviders, route: Route, abort: AbortSignal): Promise<Signal | null> {
  const body = { model: route.model, messages: [{ role: 'user', content: 'ping' }], max_tokens: 1 };
  const reply = await providers.at(route).send({
    request: { model: route.model, stream: false, includeUsage: false, body, needs: needsOf(body) },
    route,
    tenant: '',
    correlationId: `probe-${route.id}`,
    unsupportedParams: 'ignore',
    abort,
    onActivity: () => undefined,
  });
  if (reply.kind === 'failed') return reply.signal;
  // It was asked for a whole answer; whoever begins a stream all the same is there too.
  if (reply.kind === 'stream') return null;
  const outcome = await reply.read();
  return outcome.kind === 'failed' ? outcome.signal : null;
}
