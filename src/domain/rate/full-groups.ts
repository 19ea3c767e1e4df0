import type { GroupCounter, RateState } from './rate-counter';

/** The channel groups that take no more requests, with the instant at which they do again. */
export type FullGroups = ReadonlyMap<string, number>;

export const NO_FULL_GROUPS: FullGroups = new Map();

/** Which groups are full, by the states of their counters in the same order. */
export function fullGroups(
  counters: readonly GroupCounter[],
  states: readonly RateState[],
  nowMs: number,
): FullGroups {
  const full = new Map<string, number>();
  counters.forEach(({ group }, index) => {
    const state = states[index];
    if (state !== undefined && state.remaining <= 0) full.set(group, nowMs + state.resetMs);
  });
  return full;
}
