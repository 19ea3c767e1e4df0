import { matchCalls } from '../../support/money/charged';
import type { Aftermath } from '../aftermath';
import { counted, invariant, type Invariant } from './invariant';

/** No provider is called without an attempt on record (DESIGN §7, "open before send"). */
export function callsAreOnRecord({ calls, interactions }: Aftermath): Invariant {
  const { strays, confused } = matchCalls(calls, interactions);
  return invariant('every provider call has its attempt on record', { calls: calls.length }, [
    ...strays.map((call) => `no attempt for ${JSON.stringify(call)}`),
    ...confused.map((call) => `the record says otherwise of ${JSON.stringify(call)}`),
  ]);
}

/** Whoever has read an answer finds it closed (ADR 4), or, where a spool came too late, its attempts (ADR 21). */
export function answersAreClosed({ run, interactions, leftOpen }: Aftermath): Invariant {
  const recordOf = new Map(interactions.map((interaction) => [interaction.request_id, interaction]));
  const answered = run.asked.filter(({ end }) => end === 'answered');
  const found = answered.map((asked) => ({ ...asked, record: recordOf.get(asked.requestId ?? '') }));
  const late = found.filter(({ record }) => record?.state === 'interrupted' && record.attempts.length > 0);
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

export function chainsVerify({ verified }: Aftermath): Invariant {
  const { code, output, errors } = verified;
  const said = output.trim().split('\n').at(-1) ?? '';
  return { name: 'hash chains verify', figures: said, violations: code === 0 ? [] : [`${output}${errors}`] };
}
