/** Whole micro-USD (1,000,000 = 1 USD). Safe integers reach 9 billion USD. */
export type MicroUsd = number;

/** Micro-USD for one million tokens; numerically equal to pico-USD for one token. */
export type MicroUsdPerMillionTokens = number;

/** Whole pico-USD (10⁻¹² USD): exact sums of tokens × price, before the single rounding per interaction. */
export type PicoUsd = number;

/** Null beyond 2^53: sums there are no longer exact, and a store can't hold them, so it is as good as unknown. */
export function exactPico(pico: PicoUsd): PicoUsd | null {
  return Number.isSafeInteger(pico) ? pico : null;
}

const PICO_PER_MICRO = 1_000_000;

/** Rounds up: a fraction of a micro-USD that a provider charges is never lost (DESIGN §7). */
export function microUsdOf(pico: PicoUsd): MicroUsd {
  return Math.ceil(pico / PICO_PER_MICRO);
}
