import type { Channel } from '../../domain/catalog/channel';
import type { Model } from '../../domain/catalog/model';
import type { Offering } from '../../domain/catalog/offering';
import type { OfferingChecks } from '../../domain/catalog/offering-checks';
import type { Provider } from '../../domain/catalog/provider';

/** Writes of the catalog. Every write is durable and visible in `Configuration` when it resolves. */
export interface CatalogStore {
  /** Each put adds an entry, or replaces the one with the same id (a model's id is its name), which keeps its place in the order. */
  putProvider(provider: Provider): Promise<void>;
  putChannel(channel: Channel): Promise<void>;
  putModel(model: Model): Promise<void>;
  putOffering(offering: Offering): Promise<void>;
  /** What was seen of an offering, in place of what was known before. */
  putChecks(checks: OfferingChecks): Promise<void>;
  /** Removing what isn't there is no error. References are the caller's to check first. */
  remove(kind: CatalogKind, id: string): Promise<void>;
}

export type CatalogKind = 'provider' | 'channel' | 'model' | 'offering';
