import type { Price } from '../catalog/price';
import type { ModelName, ProviderId } from '../kernel/ids';
import { costRatio } from '../routing/cost-ceiling';
import type { FallbackReason } from './fallback-reason';

/** What an answer says about where it came from (DESIGN §8). All of it is our own measurement. */
export type ServedFacts = Readonly<{
  requestedModel: string;
  provider: ProviderId;
  /** The plain public name of what produced the output. */
  model: ModelName;
  /** Attempts so far, the serving one included. */
  attempts: number;
  /** Null unless another provider or another model than the primary answered. */
  failover: FailoverFacts | null;
  ignoredParams: readonly string[];
  responseModel: 'annotated' | 'served';
}>;

export type FailoverFacts = Readonly<{
  reason: FallbackReason;
  fromProvider: ProviderId;
  fromModel: ModelName;
  toProvider: ProviderId;
  toModel: ModelName;
  /** The larger of the input and output price ratio; null: a price is unknown, or the primary is free. */
  costMultiplier: number | null;
}>;

/**
 * The `model` of an answer. Only a model fallback is annotated; an alias or `auto` shows as the plain served name, and
 * so does a fallback to the same model elsewhere.
 */
export function displayedModel(facts: ServedFacts): string {
  const { failover, responseModel, requestedModel, model } = facts;
  const substituted = failover !== null && failover.fromModel !== failover.toModel;
  if (!substituted || responseModel === 'served') return model;
  return `${requestedModel}→${model} (fallback: ${failover.fromModel})`;
}

/** How much dearer the fallback is than the primary: the larger of both ratios, rounded to four digits for display. */
export function costMultiplier(primary: Price | null, fallback: Price | null): number | null {
  if (primary === null || fallback === null) return null;
  if (primary.input === 0 || primary.output === 0) return null;
  const ratio = costRatio(primary, fallback);
  return ratio === null ? null : Math.round(ratio * 10_000) / 10_000;
}
