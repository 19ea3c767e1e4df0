import type { ClosingRecord } from '../../../src/domain/audit/audit-record';
import type { Attempt, AttemptStart } from '../../../src/domain/interaction/attempt';
import type { AbortCause } from '../../../src/domain/resilience/signal';
import { EMPTY_WALLET } from '../../../src/domain/wallet/wallet';
import type { ChatBench } from '../../support/chat-bench';
import type { StoredInteraction } from '../../support/in-memory-interaction-store';
import type { RecordingReply } from '../../support/recording-reply';
import type { Schedule, ScheduledCaller } from './any-schedule';

/** One interaction of a schedule, after everything is over. */
export type Played = Readonly<{
  id: string;
  caller: ScheduledCaller;
  reply: RecordingReply;
  beganAtMs: number;
  deadlineAtMs: number;
  /** `Infinity`: the caller stays. */
  leftAtMs: number;
}>;

/** More than any schedule can cost. */
export const CREDIT_MICRO_USD = 1_000_000;

/** What the decisive frames of a schedule say. */
const DECISIVE_TEXT = /word|<stop>/;

/** What we promised and did not keep: by name, so that a shrunken counterexample says what is wrong. */
export function brokenPromises(
  bench: ChatBench,
  played: readonly Played[],
  schedule: Schedule,
): readonly string[] {
  return [
    ...bench.store.violations,
    ...broken({ 'no upstream call outlives its interaction': bench.provider.running === 0 }),
    ...broken({ 'every trial slot is given back': trialsHeld(bench) === 0 }),
    ...inWallet(bench),
    ...played.flatMap((one) =>
      [
        ...inCalls(bench, one, schedule),
        ...inSlowness(bench, one, schedule),
        ...inReply(one, schedule),
        ...inRecord(bench, one),
      ].map((promise) => `${one.id}: ${promise}`),
    ),
  ];
}

/** At rest the wallet has paid what the records cost, and holds nothing but what is still open. */
function inWallet({ store }: ChatBench): readonly string[] {
  const { availableMicroUsd, reservedMicroUsd, spentMicroUsd } = store.wallets.get('ten_1') ?? EMPTY_WALLET;
  const interactions = [...store.interactions.values()];
  const costs = interactions.map(({ closing }) => closing?.costMicroUsd ?? 0);
  const held = interactions.map(({ closing, heldMicroUsd }) => (closing === null ? (heldMicroUsd ?? 0) : 0));
  return broken({
    'the wallet has paid what the records say': spentMicroUsd === sum(costs),
    'the wallet holds what open interactions need': reservedMicroUsd === sum(held),
    'the balance is credits less costs':
      availableMicroUsd + reservedMicroUsd === CREDIT_MICRO_USD - sum(costs),
  });
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

function broken(promises: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.keys(promises).filter((promise) => promises[promise] === false);
}

function trialsHeld(bench: ChatBench): number {
  return [...bench.health.all().values()].filter(
    ({ breaker }) => breaker.state !== 'closed' && breaker.trialSinceMs !== null,
  ).length;
}

function inCalls(bench: ChatBench, { id, caller, ...when }: Played, schedule: Schedule): readonly string[] {
  const { deadlineAtMs, leftAtMs } = when;
  const calls = bench.provider.calls.filter(({ correlationId }) => correlationId.startsWith(`${id}-`));
  const attempts = bench.store.interactions.get(id)?.attempts ?? [];
  const counted = attempts.filter(isCounted);
  const latestStartMs = deadlineAtMs - (schedule.settings.minAttemptMs ?? 0);
  const mustEndMs = Math.min(deadlineAtMs, leftAtMs);
  return broken({
    'at most 8 attempts': counted.length <= 8,
    'at most so many routes as the policy says': routesOf(counted) <= (schedule.settings.maxHops ?? 3),
    'no more retries of a route than the policy says': mostRetriesIn(attempts) <= maxRetriesOf(schedule),
    'one call at most where no replay is allowed':
      !caller.forbidsReplay || counted.filter(mayHaveArrived).length <= 1,
    'no call without a record': calls.length <= attempts.length,
    'no call after its own end': calls.every(({ madeAfterAbort }) => !madeAfterAbort),
    'no call after the caller left': calls.every(({ startedAtMs }) => startedAtMs <= leftAtMs),
    // The start of an attempt is recorded first, which takes as long as it takes.
    'no call without time for it': calls.every(
      ({ startedAtMs }) => startedAtMs <= latestStartMs + schedule.commitMs,
    ),
    'no call after the deadline or for nobody': calls.every(
      ({ endedAtMs }) => (endedAtMs ?? Infinity) <= mustEndMs,
    ),
  });
}

/** DESIGN §4, `ttft_failover_ms`: only an attempt that has said nothing by then is ended, and only for another route. */
function inSlowness(bench: ChatBench, { id, leftAtMs }: Played, schedule: Schedule): readonly string[] {
  const patienceMs = schedule.settings.timeouts?.ttftFailoverMs ?? Infinity;
  const attempts = endedAttemptsOf(bench, id);
  const slow = attempts.filter((attempt) => abortCauseOf(attempt) === 'ttft_timeout');
  const followers = slow.map(({ number }) => attempts.find((other) => other.number === number + 1));
  const mayStop = schedule.moods.length > 0 || schedule.shutdownAfterMs !== null;
  return broken({
    'no attempt ended for slowness before its time': slow.every(
      ({ startedAtMs, endedAtMs }) => endedAtMs - startedAtMs >= patienceMs,
    ),
    'no attempt ended for slowness that had spoken': slow.every(
      ({ firstOutputAtMs }) => firstOutputAtMs === null,
    ),
    'no attempt ended for slowness without another route': slow.every(
      ({ endedAtMs, route }, index) =>
        mayStop || leftAtMs <= endedAtMs || (followers[index]?.route.id ?? route.id) !== route.id,
    ),
  });
}

function endedAttemptsOf(bench: ChatBench, id: string): readonly Attempt[] {
  const attempts = bench.store.interactions.get(id)?.attempts ?? [];
  return attempts.filter((attempt) => 'outcome' in attempt);
}

/** Why we ended an attempt ourselves; null: we didn't. */
function abortCauseOf({ outcome }: Attempt): AbortCause | null {
  return outcome.kind === 'failed' ? outcome.fault.abortedBy : null;
}

/** Every reason for which an attempt of this bench was ended by ourselves. */
export function abortCausesIn(bench: ChatBench): readonly AbortCause[] {
  return [...bench.store.interactions.keys()]
    .flatMap((id) => endedAttemptsOf(bench, id).map(abortCauseOf))
    .filter((cause) => cause !== null);
}

/** What failed before anything was sent, by our own doing, is no upstream call. */
function isCounted(attempt: AttemptStart | Attempt): boolean {
  if (!('outcome' in attempt) || attempt.outcome.kind === 'served') return true;
  const { fault } = attempt.outcome;
  return fault.class !== 'local' || fault.requestSent !== 'no';
}

function mayHaveArrived(attempt: AttemptStart | Attempt): boolean {
  return (
    !('outcome' in attempt) || attempt.outcome.kind === 'served' || attempt.outcome.fault.requestSent !== 'no'
  );
}

function maxRetriesOf({ settings }: Schedule): number {
  return settings.retry?.maxRetries ?? 5;
}

function mostRetriesIn(attempts: readonly AttemptStart[]): number {
  const retried = attempts.filter(({ action }) => action === 'retry').map(({ route }) => route.id);
  return Math.max(0, ...retried.map((id) => retried.filter((other) => other === id).length));
}

function routesOf(attempts: readonly AttemptStart[]): number {
  return new Set(attempts.map(({ route }) => route.id)).size;
}

function inReply(
  { reply, beganAtMs, deadlineAtMs, leftAtMs }: Played,
  { commitMs }: Schedule,
): readonly string[] {
  const { events, endings } = reply;
  const writers = new Set(events.flatMap((event) => (event.kind === 'write' ? [event.facts.attempts] : [])));
  const endedAtMs = beganAtMs + (endings[0]?.atMs ?? Infinity);
  const overAtMs = Math.min(deadlineAtMs, leftAtMs);
  return broken({
    'exactly one ending': endings.length === 1,
    'nothing after the ending': events.at(-1) === endings[0],
    'output of one attempt only': writers.size <= 1,
    'a whole answer or a stream, never both': endings[0]?.kind !== 'answer' || writers.size === 0,
    'no output for nobody': reply.writesAfterLeaving === 0,
    'no output after the deadline': events.every(
      ({ kind, atMs }) => kind !== 'write' || beganAtMs + atMs <= deadlineAtMs,
    ),
    // One commit may be under way by then, and the closing one follows.
    'an ending by the deadline, and at once when nobody is there': endedAtMs <= overAtMs + 2 * commitMs,
  });
}

/** How a caller can see an interaction end. An answer that is a refusal by the model comes as its error. */
const SEEN_AS: Readonly<Record<ClosingRecord['state'], readonly string[]>> = {
  served: ['answer', 'end', 'fail'],
  failed: ['fail'],
  refused: ['fail'],
  partial: ['fail'],
  cancelled: ['abandon'],
  interrupted: [],
};

function inRecord(bench: ChatBench, { id, reply }: Played): readonly string[] {
  const stored = bench.store.interactions.get(id);
  const reported = bench.incidents.notRecorded.filter(({ requestId }) => requestId === id);
  const closings = stored?.closing ? [stored.closing, ...reported] : reported;
  const [closing] = closings;
  if (closing === undefined) return isTurnedAway(stored, reply) ? [] : ['a record of every end'];
  const { attempts, lastAttempt } = closing;
  return [
    ...broken({
      'one closing record, or one report of it': closings.length === 1,
      'no service without a record': stored !== undefined || isTurnedAway(stored, reply),
      'every attempt has its end on record': (lastAttempt?.number ?? 0) === attempts,
    }),
    ...(stored === undefined ? [] : inWhatIsSaid(closing, reply)),
    ...broken({ 'every attempt is on record': attempts === countOf(stored) }),
  ];
}

/** The store never took his opening, so there is nothing to be lost: he was told so, or had left. */
function isTurnedAway(stored: StoredInteraction | undefined, reply: RecordingReply): boolean {
  const hasLeft = reply.kinds.length === 1 && reply.kinds[0] === 'abandon';
  return stored === undefined && (hasLeft || reply.error?.code === 'audit_unavailable');
}

function countOf(stored: StoredInteraction | undefined): number {
  return stored === undefined ? 0 : stored.attempts.length;
}

function inWhatIsSaid({ state, served }: ClosingRecord, reply: RecordingReply): readonly string[] {
  const kind = reply.endings[0]?.kind ?? '';
  return broken({
    'the caller sees what is on record': SEEN_AS[state].includes(kind),
    'who served is on record if somebody did': (served !== null) === ['answer', 'end'].includes(kind),
    'an unsaid answer is no partial one, and a partial one was said': saidFits(state, reply.text),
  });
}

/** Only a partial answer was begun, and only something decisive begins one. */
function saidFits(state: ClosingRecord['state'], text: string): boolean {
  if (state === 'failed' || state === 'refused') return text === '';
  return state !== 'partial' || DECISIVE_TEXT.test(text);
}
