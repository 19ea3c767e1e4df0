import type { Price } from '../catalog/price';
import type { CostCeilingDetail, RefusalDetail } from './refusal';

/** The ceiling is read to six decimals, so that it can be compared as a whole number. */
const CEILING_SCALE = 1_000_000;

/**
 * Whether a fallback may cost what it costs (DESIGN §5): neither its input nor its output price may be more than
 * `ceiling` times the primary's. Exactly the ceiling is admitted. Null: admitted.
 */
export function judgeCost(
  primary: Price | null,
  fallback: Price | null,
  ceiling: number,
): RefusalDetail | null {
  if (primary === null) return { reason: 'cost_unknown', of: fallback === null ? 'both' : 'primary' };
  if (fallback === null) return { reason: 'cost_unknown', of: 'fallback' };
  return overCeiling(primary, fallback, ceiling);
}

/** The same where both prices are known. */
export function overCeiling(primary: Price, fallback: Price, ceiling: number): CostCeilingDetail | null {
  const over =
    exceeds(fallback.input, primary.input, ceiling) || exceeds(fallback.output, primary.output, ceiling);
  if (!over) return null;
  return {
    reason: 'cost_ceiling',
    primaryPrice: primary,
    fallbackPrice: fallback,
    ratio: costRatio(primary, fallback),
    ceiling,
  };
}

/**
 * How many times as dear the fallback is: the larger of the input and the output ratio. Null: the primary is free where
 * the fallback isn't. Both free is 1.
 */
export function costRatio(primary: Price, fallback: Price): number | null {
  const pairs = [
    [fallback.input, primary.input],
    [fallback.output, primary.output],
  ] as const;
  const comparable = pairs.filter(([dear, base]) => dear !== 0 || base !== 0);
  if (comparable.some(([, base]) => base === 0)) return null;
  return comparable.length === 0 ? 1 : Math.max(...comparable.map(([dear, base]) => dear / base));
}

/** Prices are whole numbers, so the comparison is exact: 1.15 × 100 is 115 here, and not a little less. */
function exceeds(fallback: number, primary: number, ceiling: number): boolean {
  const scaled = BigInt(Math.round(ceiling * CEILING_SCALE));
  return whole(fallback) * BigInt(CEILING_SCALE) > whole(primary) * scaled;
}

/** `BigInt` takes whole numbers only; a price that isn't one would be a defect, and no reason to fail a request. */
function whole(price: number): bigint {
  return BigInt(Math.round(price));
}
