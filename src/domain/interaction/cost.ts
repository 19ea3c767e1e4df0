import type { Price } from '../catalog/price';
import { exactPico, microUsdOf, type MicroUsd, type PicoUsd } from '../kernel/money';
import type { Ledger } from './ledger';
import type { Usage } from './usage';

/**
 * What a provider charges for one attempt. Cached and cache-write tokens are part of the input and have prices of their
 * own; a missing cached price is the input price, never 0 (CASES B33). Null: a price or a count is unknown, or more than 9,007 USD.
 */
export function attemptCost(usage: Usage, price: Price | null): PicoUsd | null {
  if (usage.source === 'none') return 0;
  if (price === null || usage.inputTokens === null || usage.outputTokens === null) return null;
  const cached = usage.cachedInputTokens ?? 0;
  const plain = Math.max(0, usage.inputTokens - cached - (usage.cacheWriteTokens ?? 0));
  return exactPico(
    plain * price.input +
      cached * (price.cachedInput ?? price.input) +
      cacheWriteCost(usage, price) +
      usage.outputTokens * price.output,
  );
}

function cacheWriteCost({ cacheWriteTokens, cacheWrite1hTokens }: Usage, price: Price): PicoUsd {
  const written = cacheWriteTokens ?? 0;
  const forAnHour = Math.min(written, cacheWrite1hTokens ?? 0);
  const short = price.cacheWrite ?? price.input;
  return (written - forAnHour) * short + forAnHour * (price.cacheWrite1h ?? short);
}

/** All attempts of an interaction together, rounded up once; null as soon as one of them is unknown, or beyond what is exact. */
export function interactionCost(ledger: Ledger): MicroUsd | null {
  let total: PicoUsd = 0;
  for (const attempt of ledger) {
    if (attempt.costPico === null) return null;
    total += attempt.costPico;
  }
  const exact = exactPico(total);
  return exact === null ? null : microUsdOf(exact);
}
