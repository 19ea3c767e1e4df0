import type { Asked } from './caller';
import { grouped } from './grouped';
import { caseOf, type Mix } from './mix';
import type { Seen } from './seen';
import type { SeenInteraction } from './stored-interactions';

/** After these nobody was answered, so the key is free, and whoever has it next is billed by himself (ADR 16). */
const FREEING = ['failed', 'refused'];

/** One billable interaction and one served answer for each idempotency key, however often it was sent. */
export function checkKeys(mix: Mix, { asked, interactions }: Seen): readonly string[] {
  const recordsOf = grouped(interactions, ({ tag }) => tag);
  const askedOf = grouped(asked, ({ tag }) => tag);
  return Array.from({ length: mix.cases }, (_, index) => caseOf(mix, index))
    .filter(({ idempotencyKey }) => idempotencyKey !== null)
    .flatMap(({ tag }) =>
      keyFaults(recordsOf.get(tag) ?? [], askedOf.get(tag) ?? []).map((fault) => `${tag}: ${fault}`),
    );
}

/** What is wrong with the records and the answers of one key. */
export function keyFaults(records: readonly SeenInteraction[], asked: readonly Asked[]): readonly string[] {
  // Who left before anybody was asked has claimed nothing.
  const holding = records.filter(({ state, attempts }) => !FREEING.includes(state) && attempts.length > 0);
  const billable = new Set(holding.map(({ billableId }) => billableId));
  const served = records.filter(({ state }) => state === 'served');
  const answers = asked.filter(({ end }) => end === 'answered');
  const [servedId] = served.map(({ request_id: id }) => id);
  const [first] = answers;
  return [
    ...(billable.size > 1 ? [`${billable.size} billable interactions: ${[...billable].join(', ')}`] : []),
    ...(served.length > 1 ? [`${served.length} served interactions`] : []),
    ...(answers.some(({ requestId }) => requestId !== servedId) ? ['an answer of another interaction'] : []),
    ...(answers.some(({ text }) => text !== first!.text) ? ['answers that differ'] : []),
    ...(answers.filter(({ replayed }) => !replayed).length > 1 ? ['an answer twice that is no replay'] : []),
  ];
}
