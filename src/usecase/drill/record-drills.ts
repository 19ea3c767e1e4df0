import type { RehearsalStage, Setting } from '../port/rehearsal-stage';
import { isEstimated } from './charged-cost';
import { leftOut, rehearsed, type Rehearsal, type Scene } from './drill';
import type { Expectation } from './expectation';
import { unequal } from './judge';
import { alsoDiffering, firstRung, judged, playScene, questionOf, STREAMED, WHOLE } from './scene';
import { at, HEALTHY } from './script';
import { recordOf } from './seen';

const NOT_RECORDED: Expectation = {
  status: 503,
  code: 'audit_unavailable',
  state: null,
  attempts: [],
  served: null,
  fallbackReason: null,
  model: null,
  stream: 'none',
};

/** What can't be recorded isn't sent; and once the store takes writes again, so does the gateway take requests. */
export async function storeLost(setting: Setting, stage: RehearsalStage): Promise<Rehearsal> {
  if (firstRung(setting, WHOLE) === null) return leftOut('nothing would be sent in any case');
  await stage.ready(setting);
  const seen = await stage.performWithoutStore({ body: questionOf(setting, WHOLE) });
  const afterwards = await playScene(setting, stage, { ask: WHOLE, script: HEALTHY });
  return rehearsed(judged(NOT_RECORDED, seen, setting), afterwards);
}

/** Whole, streamed, and after a failed attempt: tokens and costs on record are those that the providers bill. */
export async function ledgerReconciled(setting: Setting, stage: RehearsalStage): Promise<Rehearsal> {
  const first = firstRung(setting, WHOLE);
  if (first === null) return leftOut('nothing is sent, so nothing is billed');
  const downOnce = at(first, { kind: 'is_down' }, { kind: 'answers' });
  const scenes: Scene[] = [];
  scenes.push(await playScene(setting, stage, { ask: WHOLE, script: HEALTHY }));
  if (firstRung(setting, STREAMED) !== null) {
    scenes.push(await playScene(setting, stage, { ask: STREAMED, script: HEALTHY }));
  }
  scenes.push(await playScene(setting, stage, { ask: WHOLE, script: downOnce }));
  return rehearsed(...scenes.map((scene) => alsoDiffering(scene, usageDifferences(scene))));
}

/** Complete answers always tell their usage, so that nothing has to be estimated. */
function usageDifferences({ seen }: Scene): readonly string[] {
  const record = recordOf(seen);
  if (record === null) return [];
  const sum = (counts: readonly (number | null)[]): number =>
    counts.reduce<number>((total, count) => total + (count ?? 0), 0);
  const charges = seen.calls.map(({ charge }) => charge);
  const usages = record.ledger.map(({ usage }) => usage);
  return [
    ...unequal('estimated usage', false, isEstimated(record)),
    ...unequal(
      'input tokens on record',
      sum(charges.map((charge) => charge?.inputTokens ?? 0)),
      sum(usages.map(({ inputTokens }) => inputTokens)),
    ),
    ...unequal(
      'output tokens on record',
      sum(charges.map((charge) => charge?.outputTokens ?? 0)),
      sum(usages.map(({ outputTokens }) => outputTokens)),
    ),
  ];
}
