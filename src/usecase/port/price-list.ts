import type { Price } from '../../domain/catalog/price';
import type { ModelName, ProviderId } from '../../domain/kernel/ids';

/** Published list prices: defaults for a new offering, which the operator may overwrite. */
export interface PriceList {
  /** Null: the list doesn't know this very model. It is never guessed from a similar name. */
  priceOf(provider: ProviderId, upstreamName: ModelName): Price | null;
}
