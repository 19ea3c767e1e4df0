/** Whole micro-USD (1,000,000 = 1 USD). Safe integers reach 9 billion USD. */
export type MicroUsd = number;

/** Micro-USD for one million tokens; numerically equal to pico-USD for one token. */
export type MicroUsdPerMillionTokens = number;

/** Whole pico-USD (10⁻¹² USD): exact sums of tokens × price, before the single rounding per interaction. */
export type PicoUsd = number;

const PICO_PER_MICRO = 1_000_000;

/** Rounds up: a fraction of a micro-USD that a provider charges is never lost (DESIGN §7). */
export function microUsdOf(pico: PicoUsd): MicroUsd {
  return Math.ceil(pico / PICO_PER_MICRO);
}
