import type { TenantId } from '../../domain/kernel/ids';
import type { MicroUsd } from '../../domain/kernel/money';

export const USAGE_GROUPINGS = ['service', 'feature', 'model', 'provider', 'fallback', 'day', 'key'] as const;
export type UsageGrouping = (typeof USAGE_GROUPINGS)[number];

/** Adds up closed interactions. Rejects with `StoreUnavailable` when the store can't be read. */
export interface UsageReports {
  /** One row per value of the grouping, by value, the row of those without a value first. */
  usage(query: UsageQuery): Promise<readonly UsageRow[]>;
}

export type UsageQuery = Readonly<{
  tenant: TenantId;
  /** Opened at or after. */
  fromMs: number;
  /** Opened before. */
  toMs: number;
  groupBy: UsageGrouping;
}>;

export type UsageRow = Readonly<{
  /** A name; of `day` the UTC day as `2026-11-30`, of `fallback` `true` or `false`. Null: the interactions have none. */
  group: string | null;
  interactions: number;
  attempts: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  /** The interactions whose cost is known, together. */
  costMicroUsd: MicroUsd;
  /** Of that, what attempts cost that another attempt followed: retries and fallbacks. Rounded up once per row. */
  resilienceCostMicroUsd: MicroUsd;
  /** Interactions whose cost nobody knows: they are in no sum. */
  costUnknown: number;
}>;
