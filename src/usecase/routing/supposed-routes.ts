import type { Catalog } from '../../domain/catalog/catalog';
import type { Offering } from '../../domain/catalog/offering';
import type { Problem } from '../../domain/error/gateway-error';
import type { BreakerSettings } from '../../domain/health/circuit-breaker';
import type { RouteHealth } from '../../domain/health/route-health';
import { supposed } from '../../domain/health/supposed-health';
import type { SupposedHealth } from '../../domain/health/supposed-health';
import type { OfferingId } from '../../domain/kernel/ids';
import type { RouteHealthStore } from '../port/route-health';
import type { Suppositions } from './explanation';

/** The health of every route as it was observed, or as it is supposed to be. */
export function supposedRoutes(
  catalog: Catalog,
  observed: Pick<RouteHealthStore, 'get'>,
  supposing: Suppositions,
  at: Readonly<{ nowMs: number; breaker: BreakerSettings }>,
): ReadonlyMap<OfferingId, RouteHealth> {
  return new Map(
    [...catalog.offerings.values()].map((offering) => {
      const health = observed.get(offering.id);
      const supposition = suppositionOf(offering, catalog, supposing);
      return [
        offering.id,
        supposition === null ? health : supposed(health, supposition, at.nowMs, at.breaker),
      ] as const;
    }),
  );
}

function suppositionOf(
  { id, channel }: Offering,
  catalog: Catalog,
  { providers, channels, offerings }: Suppositions,
): SupposedHealth | null {
  const provider = catalog.channels.get(channel)?.provider ?? '';
  return offerings.get(id) ?? channels.get(channel) ?? providers.get(provider) ?? null;
}

/** Suppositions about what isn't there would explain nothing. */
export function unknownSuppositions(catalog: Catalog, supposing: Suppositions): readonly Problem[] {
  const unknown = (kind: keyof Suppositions, word: string): readonly Problem[] =>
    [...supposing[kind].keys()]
      .filter((id) => !catalog[kind].has(id))
      .map((id) => ({ field: `health.${kind}.${id}`, message: `no ${word} "${id}" in the catalog` }));
  return [
    ...unknown('providers', 'provider'),
    ...unknown('channels', 'channel'),
    ...unknown('offerings', 'offering'),
  ];
}
