import type { Performance, RehearsalStage, Setting } from '../port/rehearsal-stage';
import type { Expectation } from './expectation';

export const DRILL_NAMES = [
  'primary-down',
  'rate-limit-fits',
  'rate-limit-too-long',
  'cancel-before-headers',
  'cancel-in-backoff',
  'cancel-mid-stream',
  'stream-cut',
  'malformed-request',
  'request-refused',
  'tool-workflow',
  'all-routes-exhausted',
  'excluded-provider',
  'cost-ceiling',
  'store-lost',
  'ledger-reconciled',
] as const;
export type DrillName = (typeof DRILL_NAMES)[number];

/** One request of a drill with its verdict. */
export type Scene = Readonly<{
  expected: Expectation;
  seen: Performance;
  /** In what they differ; empty: as expected. */
  differences: readonly string[];
}>;

export type Rehearsal =
  | Readonly<{ kind: 'rehearsed'; scenes: readonly Scene[] }>
  /** The policy has nothing that this drill could show. */
  | Readonly<{ kind: 'left_out'; because: string }>;

/** A failure on purpose, with the rules of what must come of it. */
export type Drill = (setting: Setting, stage: RehearsalStage) => Promise<Rehearsal>;

export function rehearsed(...scenes: readonly Scene[]): Rehearsal {
  return { kind: 'rehearsed', scenes };
}

export function leftOut(because: string): Rehearsal {
  return { kind: 'left_out', because };
}
