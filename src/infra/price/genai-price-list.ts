import { calcPrice } from '@pydantic/genai-prices';
import type { Price } from '../../domain/catalog/price';
import type { PriceList } from '../../usecase/port/price-list';

/** USD per million tokens, flat, or with dearer tiers for long inputs. */
type ListedPrice =
  number | Readonly<{ base: number; tiers: readonly Readonly<{ start: number; price: number }>[] }>;

const MICRO_USD_PER_USD = 1_000_000;

/**
 * Prices from the `@pydantic/genai-prices` data. The package matches names loosely (a newer model gets its predecessor's
 * price), so only an exact match counts. Where long inputs cost more, the dearest tier counts: a cost ceiling and a
 * reservation must not be passed by a price that doesn't hold.
 */
export class GenaiPriceList implements PriceList {
  priceOf(provider: string, upstreamName: string): Price | null {
    const found = calcPrice({ input_tokens: 0, output_tokens: 0 }, upstreamName, { providerId: provider });
    if (found === null || found.model.id !== upstreamName) return null;
    const { input_mtok, output_mtok, cache_read_mtok, cache_write_mtok, cache_write_1h_mtok } =
      found.model_price;
    const input = microUsd(input_mtok);
    const output = microUsd(output_mtok);
    if (input === null || output === null) return null;
    return {
      input,
      output,
      cachedInput: microUsd(cache_read_mtok),
      cacheWrite: microUsd(cache_write_mtok),
      cacheWrite1h: microUsd(cache_write_1h_mtok),
    };
  }
}

function microUsd(price: ListedPrice | undefined): number | null {
  if (price === undefined) return null;
  const usd =
    typeof price === 'number' ? price : Math.max(price.base, ...price.tiers.map((tier) => tier.price));
  // 2.007 × 1,000,000 is 2007000.0000000002: what is far below the price's own digits is no fraction to round up.
  return Math.ceil(Number((usd * MICRO_USD_PER_USD).toFixed(3)));
}
