import type { ChannelId, ModelName, OfferingId, ProviderId } from '../kernel/ids';
import type { Channel } from './channel';
import type { Model } from './model';
import type { Offering } from './offering';
import { failedResults, isAbout, subjectOf } from './offering-checks';
import type { OfferingChecks } from './offering-checks';
import type { Provider } from './provider';
import type { Route } from './route';

/** Everything that operators registered, indexed once per change so that a request only looks things up. */
export type Catalog = Readonly<{
  providers: ReadonlyMap<ProviderId, Provider>;
  channels: ReadonlyMap<ChannelId, Channel>;
  models: ReadonlyMap<ModelName, Model>;
  offerings: ReadonlyMap<OfferingId, Offering>;
  /** What was last seen of the offerings that were ever verified, as they are now. */
  checks: ReadonlyMap<OfferingId, OfferingChecks>;
  /** Aliases to the names that they stand for. */
  aliases: ReadonlyMap<string, ModelName>;
  /** The routes of each model, in the order in which they were registered. */
  routes: ReadonlyMap<ModelName, readonly Route[]>;
}>;

export type CatalogEntries = Readonly<{
  providers: readonly Provider[];
  channels: readonly Channel[];
  models: readonly Model[];
  offerings: readonly Offering[];
  /** Of whatever the offerings were when they were checked. Absent: none was. */
  checks?: readonly OfferingChecks[];
}>;

/** Builds the index. An offering whose channel or model is missing has no route. */
export function buildCatalog(entries: CatalogEntries): Catalog {
  const channels = new Map(entries.channels.map((channel) => [channel.id, channel]));
  const models = new Map(entries.models.map((model) => [model.name, model]));
  const checks = currentChecks(entries, channels);
  const routes = new Map<ModelName, Route[]>();
  for (const offering of entries.offerings) {
    const channel = channels.get(offering.channel);
    const model = models.get(offering.model);
    if (channel === undefined || model === undefined) continue;
    const route = withFailedChecks(routeOf(offering, channel, model), checks.get(offering.id));
    const siblings = routes.get(model.name);
    if (siblings === undefined) routes.set(model.name, [route]);
    else siblings.push(route);
  }
  return {
    providers: new Map(entries.providers.map((provider) => [provider.id, provider])),
    channels,
    models,
    offerings: new Map(entries.offerings.map((offering) => [offering.id, offering])),
    checks,
    aliases: new Map(
      entries.models.flatMap((model) => model.aliases.map((alias) => [alias, model.name] as const)),
    ),
    routes,
  };
}

/** Checks of an offering or channel that has changed since say nothing of what is there now. */
function currentChecks(
  { offerings, checks = [] }: CatalogEntries,
  channels: ReadonlyMap<ChannelId, Channel>,
): ReadonlyMap<OfferingId, OfferingChecks> {
  const current = new Map<OfferingId, OfferingChecks>();
  const byOffering = new Map(checks.map((checked) => [checked.offering, checked]));
  for (const offering of offerings) {
    const [checked, channel] = [byOffering.get(offering.id), channels.get(offering.channel)];
    if (checked === undefined || channel === undefined) continue;
    if (isAbout(checked, subjectOf(offering, channel))) current.set(offering.id, checked);
  }
  return current;
}

function withFailedChecks(route: Route, checks: OfferingChecks | undefined): Route {
  const failed = checks === undefined ? [] : failedResults(checks);
  return failed.length === 0 ? route : { ...route, failedChecks: failed };
}

function routeOf(offering: Offering, channel: Channel, model: Model): Route {
  return {
    id: offering.id,
    provider: channel.provider,
    channel,
    model: model.name,
    upstreamName: offering.upstreamName,
    price: offering.price,
    contract: { ...model.contract, ...offering.contract },
    enabled: offering.enabled && channel.enabled,
  };
}

/** The model that a requested name stands for: a name goes before an alias; undefined when it is neither. */
export function resolveModelName(catalog: Catalog, requested: string): Model | undefined {
  return catalog.models.get(requested) ?? catalog.models.get(catalog.aliases.get(requested) ?? '');
}

/** The routes of a model, in the order of registration; none when the model is unknown. */
export function routesOf(catalog: Catalog, model: ModelName): readonly Route[] {
  return catalog.routes.get(model) ?? [];
}

/** Whether a route may be used as of now: its offering and its channel are there and switched on. */
export function isRouteEnabled(catalog: Catalog, route: OfferingId): boolean {
  const offering = catalog.offerings.get(route);
  return offering?.enabled === true && catalog.channels.get(offering.channel)?.enabled === true;
}

/** The route at the price that the catalog has for it; one that was removed keeps its own. */
export function pricedBy(catalog: Catalog, route: Route): Route {
  const offering = catalog.offerings.get(route.id);
  return offering === undefined || offering.price === route.price
    ? route
    : { ...route, price: offering.price };
}

/** Every route of a channel, whichever model it serves. */
export function routesAtChannel(catalog: Catalog, channel: ChannelId): readonly OfferingId[] {
  return [...catalog.offerings.values()]
    .filter((offering) => offering.channel === channel)
    .map((offering) => offering.id);
}
