import type { Price } from '../../../domain/catalog/price';
import type { JsonObject } from '../../../domain/kernel/json';
import type { Refusal, RefusalDetail, RefusalReason } from '../../../domain/routing/refusal';

/** A refusal as the caller, the explanation and the audit record show it. Prices are micro-USD per million tokens. */
export function presentRefusal({ route, detail }: Refusal): JsonObject {
  return {
    reason: detail.reason,
    offering: route.id,
    provider: route.provider,
    channel: route.channel,
    model: route.model,
    ...presentRefusalNumbers(detail),
  };
}

export function presentPrice(price: Price): JsonObject {
  return {
    input: price.input,
    output: price.output,
    cached_input: price.cachedInput,
    cache_write: price.cacheWrite,
    cache_write_1h: price.cacheWrite1h ?? null,
  };
}

type DetailOf<R extends RefusalReason> = Extract<RefusalDetail, { reason: R }>;
type NumbersTable = { readonly [R in RefusalReason]: (detail: DetailOf<R>) => JsonObject };

const NUMBERS: NumbersTable = {
  not_opted_in: ({ missing }) => ({ missing }),
  tenant_excluded: ({ note, untilMs }) => ({ note, until: instant(untilMs) }),
  data_residency: ({ region, allowedRegions }) => ({ region, allowed_regions: allowedRegions }),
  pii_policy: ({ classes }) => ({ classes }),
  contract_mismatch: ({ param, message }) => ({ param, message }),
  cost_ceiling: ({ primaryPrice, fallbackPrice, ratio, ceiling }) => ({
    primary_price: presentPrice(primaryPrice),
    fallback_price: presentPrice(fallbackPrice),
    ratio,
    ceiling,
  }),
  cost_unknown: ({ of }) => ({ unknown: of }),
  group_rpm: ({ group, retryAfterMs }) => ({ group, retry_after_ms: retryAfterMs }),
  circuit_open: ({ untilMs }) => ({ until: instant(untilMs) }),
  throttled: ({ untilMs }) => ({ until: instant(untilMs) }),
  disabled: () => ({}),
};

/** What its reader needs to understand a refusal, beyond its reason. */
export function presentRefusalNumbers(detail: RefusalDetail): JsonObject {
  // The table is keyed by the reason of its argument, which the compiler can't follow through a union.
  const numbers = NUMBERS[detail.reason] as (detail: RefusalDetail) => JsonObject;
  return numbers(detail);
}

function instant(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
