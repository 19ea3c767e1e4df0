import { counted } from '../../support/money/grouped';
import type { Aftermath } from '../aftermath';
import { secondsAway } from '../soak-store';
import { codeOf, type Asked } from '../soak-request';
import { invariant, type Invariant } from './invariant';

/** What was recorded in the last moment may reach its provider in the next. */
const ON_THE_WAY_MS = 1_000;

/** DESIGN §12: while the store is away, new interactions get 503, and no provider is called. */
export function newOnesAreRefused(aftermath: Aftermath): Invariant {
  const { run, calls, stage } = aftermath;
  const { outages } = stage.parts.store;
  const during = run.asked.filter(
    (asked) =>
      outages.some(
        (outage) => asked.sentAtMs >= outage.awayFromMs && asked.endedAtMs <= outage.awayUntilMs,
      ) && livedThrough(aftermath, asked),
  );
  const called = calls.filter(({ atMs }) =>
    outages.some((outage) => atMs > outage.awayFromMs + ON_THE_WAY_MS && atMs < outage.awayUntilMs),
  );
  return invariant(
    'while the store is away, new interactions get 503',
    {
      'seconds away': Math.round(outages.reduce((sum, outage) => sum + secondsAway(outage), 0)),
      ...counted(
        during.map((asked) => (asked.end === 'refused' ? `${asked.status} ${codeOf(asked)}` : asked.end)),
      ),
      'provider calls': called.length,
    },
    [
      ...during
        .filter((asked) => !isRefusal(asked))
        .map(({ callerId, status, end }) => `${callerId}: ${end} ${status}`),
      ...called.map((call) => `called meanwhile: ${JSON.stringify(call)}`),
    ],
  );
}

/** DESIGN §12: running interactions finish. A provider may still break one off. */
export function runningOnesFinish(aftermath: Aftermath): Invariant {
  const { run, stage } = aftermath;
  const running = run.asked.filter(
    (asked) =>
      stage.parts.store.outages.some(
        ({ beginsAtMs, awayFromMs }) => asked.sentAtMs < beginsAtMs && asked.endedAtMs > awayFromMs,
      ) &&
      asked.question.body.stream &&
      asked.status === 200 &&
      livedThrough(aftermath, asked),
  );
  const violations = running
    .filter((asked) => asked.end === 'lost' || codeOf(asked) === 'audit_unavailable')
    .map(({ callerId, end }) => `${callerId}: ${end}`);
  return invariant(
    'streams that ran when the store went finish',
    counted(running.map(({ end }) => end)),
    violations,
  );
}

function livedThrough({ stage }: Aftermath, { gateway, sentAtMs, endedAtMs }: Asked): boolean {
  return stage.gateways[gateway]!.servedThroughout(sentAtMs, endedAtMs);
}

/** Whoever didn't wait for it was told nothing. */
function isRefusal(asked: Asked): boolean {
  const told = asked.status === 503 && codeOf(asked) === 'audit_unavailable' && asked.retryAfter !== null;
  return told || asked.end === 'left';
}
