import type { Canary } from './canary';
import type { PolicySettings } from './policy-settings';
import type { StrategyName } from './strategy-name';
import type { Target } from './target';

/** A policy as plain data: what a store keeps. */
export type RoutingPolicyData = Readonly<{
  /** Requested models that it answers for: names, prefixes such as `gpt-*`, or `*`. */
  match: readonly string[];
  /** Null: the strategy orders all targets, and the first one is the primary. */
  primary: Target | null;
  /** In the order in which they were listed; empty: no failover. */
  fallbacks: readonly Target[];
  strategy: StrategyName;
  canary: Canary | null;
  settings: PolicySettings;
}>;
