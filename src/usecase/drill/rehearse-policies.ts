import type { RehearsalStage } from '../port/rehearsal-stage';
import { leftOut, type DrillName, type Rehearsal } from './drill';
import { DRILLS } from './drill-table';
import type { Entry } from './program';

/** One drill on one policy. */
export type DrillResult = Readonly<{
  drill: DrillName;
  policy: string;
  version: number;
  side: Entry['side'];
  verdict: 'passed' | 'failed' | 'left_out';
  /** Null: the drill could not be performed at all. */
  rehearsal: Rehearsal | null;
  /** What went wrong with the drill itself; null: nothing. */
  defect: string | null;
}>;

/** Plays drills on policies, one after the other: each has all providers and the store to itself. */
export class RehearsePolicies {
  constructor(private readonly stage: RehearsalStage) {}

  /** `onResult` hears of each result as soon as it is there. */
  async execute(
    program: readonly Entry[],
    drills: readonly DrillName[],
    onResult: (result: DrillResult) => void,
  ): Promise<readonly DrillResult[]> {
    const results: DrillResult[] = [];
    for (const entry of program) {
      for (const drill of drills) {
        const result = await this.rehearse(entry, drill);
        onResult(result);
        results.push(result);
      }
    }
    return results;
  }

  private async rehearse({ setting, policy, version, side }: Entry, drill: DrillName): Promise<DrillResult> {
    const named = { drill, policy, version, side };
    if (setting === null) {
      const rehearsal = leftOut('no request reaches this policy: others match its names more closely');
      return { ...named, verdict: 'left_out', rehearsal, defect: null };
    }
    try {
      const rehearsal = await DRILLS[drill](setting, this.stage);
      return { ...named, verdict: verdictOf(rehearsal), rehearsal, defect: null };
    } catch (error) {
      // A drill that can't be performed has shown nothing, so it must not pass.
      const defect = error instanceof Error ? error.message : String(error);
      return { ...named, verdict: 'failed', rehearsal: null, defect };
    }
  }
}

function verdictOf(rehearsal: Rehearsal): DrillResult['verdict'] {
  if (rehearsal.kind === 'left_out') return 'left_out';
  return rehearsal.scenes.every(({ differences }) => differences.length === 0) ? 'passed' : 'failed';
}
