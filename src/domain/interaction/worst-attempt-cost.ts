import type { RequestNeeds } from '../catalog/request-needs';
import type { Route } from '../catalog/route';
import type { PicoUsd } from '../kernel/money';

/** How much a request may make a provider read and write. */
export type RequestSize = Readonly<{
  needs: RequestNeeds;
  /** Answers asked for (`n`). */
  choices: number;
}>;

/** Why nobody can say what an attempt may cost at most. */
export type UnknownCost = 'price_unknown' | 'output_unbounded';

/**
 * What one attempt may cost at most: all estimated input at its dearest price, and as much output as the request or else
 * the offering allows, for each of its choices. The input is a rough estimate (bytes / 4), so this is one too.
 */
export function worstAttemptCost(
  { price, contract }: Route,
  { needs, choices }: RequestSize,
): PicoUsd | UnknownCost {
  if (price === null) return 'price_unknown';
  const outputTokens = needs.maxOutputTokens ?? contract.maxOutputTokens ?? contract.contextTokens;
  if (outputTokens === null) return 'output_unbounded';
  const inputPrice = Math.max(
    price.input,
    price.cachedInput ?? 0,
    price.cacheWrite ?? 0,
    price.cacheWrite1h ?? 0,
  );
  return needs.estimatedInputTokens * inputPrice + choices * outputTokens * price.output;
}
