import type { MicroUsdPerMillionTokens } from '../kernel/money';

/** Unit prices of an offering. An offering without a known price has `null` in place of this: unknown is never zero. */
export type Price = Readonly<{
  input: MicroUsdPerMillionTokens;
  output: MicroUsdPerMillionTokens;
  /** Null: the provider names none, so cached input costs as much as input. */
  cachedInput: MicroUsdPerMillionTokens | null;
  /** Null: writing the cache costs as much as input. */
  cacheWrite: MicroUsdPerMillionTokens | null;
  /** For a cache that lives an hour, which Anthropic asks more for. Absent or null: as much as `cacheWrite`. */
  cacheWrite1h?: MicroUsdPerMillionTokens | null;
}>;
