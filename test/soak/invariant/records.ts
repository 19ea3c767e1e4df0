import { matchCalls } from '../../support/money/charged';
import { counted } from '../../support/money/grouped';
import type { Aftermath } from '../aftermath';
import type { SoakStage } from '../soak-stage';
import { invariant, type Invariant } from './invariant';

const SUPERSEDED = /"incident":"closing_superseded","requestId":"(\w+)"/g;

/** No provider is called without an attempt on record (DESIGN §7, "open before send"). */
export function callsAreOnRecord({ calls, interactions }: Aftermath): Invariant {
  const { strays, confused } = matchCalls(calls, interactions);
  return invariant('every provider call has its attempt on record', { calls: calls.length }, [
    ...strays.map((call) => `no attempt for ${JSON.stringify(call)}`),
    ...confused.map((call) => `the record says otherwise of ${JSON.stringify(call)}`),
  ]);
}

/** Whoever has read an answer finds it served (ADR 4), unless a spool came too late and the log says so (ADR 21). */
export function answersAreClosed({ run, stage, interactions, leftOpen }: Aftermath): Invariant {
  const recordOf = new Map(interactions.map((interaction) => [interaction.request_id, interaction]));
  const answered = run.asked.filter(({ end }) => end === 'answered');
  const found = answered.map((asked) => ({ ...asked, record: recordOf.get(asked.requestId ?? '') }));
  const tooLate = supersededAt(stage);
  const late = found.filter(
    ({ record }) => record?.state === 'interrupted' && tooLate.has(record.request_id),
  );
  const lost = found.filter((one) => one.record?.state !== 'served' && !late.includes(one));
  const figures = {
    'answers delivered': answered.length,
    'of them replayed': answered.filter(({ replayed }) => replayed).length,
    'closed too late': late.length,
    ...counted(interactions.map(({ state }) => `records ${state}`)),
  };
  return invariant('no delivered answer has lost its closing', figures, [
    ...lost.map(
      ({ callerId, requestId, record }) => `${callerId} was answered, ${requestId} is ${record?.state}`,
    ),
    ...(leftOpen === 0 ? [] : [`${leftOpen} interactions are still open`]),
  ]);
}

function supersededAt({ gateways }: SoakStage): ReadonlySet<string> {
  const logs = gateways.flatMap(({ lives }) => lives).map(({ end }) => end?.output ?? '');
  const said = logs.flatMap((log) => [...log.matchAll(SUPERSEDED)]);
  return new Set(said.map(([, requestId = '']) => requestId));
}

export function chainsVerify({ verified }: Aftermath): Invariant {
  const { code, output, errors } = verified;
  const said = output.trim().split('\n').at(-1) ?? '';
  return { name: 'hash chains verify', figures: said, violations: code === 0 ? [] : [`${output}${errors}`] };
}
