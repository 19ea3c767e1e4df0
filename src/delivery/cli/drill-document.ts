import type { DrillResult } from '../../usecase/drill/rehearse-policies';
import { shownScene } from './drill-scene';

/** The results for machines; names are snake_case, as everywhere in our JSON. */
export function drillDocument(tenant: string, results: readonly DrillResult[]): string {
  const count = (verdict: DrillResult['verdict']): number =>
    results.filter((result) => result.verdict === verdict).length;
  const document = {
    tenant,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('left_out'),
    results: results.map(presentResult),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function presentResult({ drill, policy, version, side, verdict, rehearsal, defect }: DrillResult) {
  return {
    drill,
    policy,
    version,
    canary: side === 'canary',
    verdict: verdict === 'left_out' ? 'skipped' : verdict,
    because: rehearsal?.kind === 'left_out' ? rehearsal.because : defect,
    scenes:
      rehearsal?.kind === 'rehearsed' ? rehearsal.scenes.map((scene) => presentScene(shownScene(scene))) : [],
  };
}

function presentScene({
  expected,
  happened,
  attempts,
  costMicroUsd,
  differences,
}: ReturnType<typeof shownScene>) {
  return {
    expected,
    happened,
    attempts: attempts.map(({ waitMs, ...attempt }) => ({ ...attempt, wait_ms: waitMs })),
    cost_micro_usd: costMicroUsd,
    differences,
  };
}
