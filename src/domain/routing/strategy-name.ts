/** How a policy orders its fallbacks (DESIGN §4). */
export const STRATEGY_NAMES = ['priority', 'cost', 'latency'] as const;
export type StrategyName = (typeof STRATEGY_NAMES)[number];
