import { counted } from '../../support/money/grouped';
import type { Aftermath } from '../aftermath';
import type { Life } from '../soak-gateway';
import type { SoakStore } from '../soak-store';
import { invariant, type Invariant } from './invariant';

/** What a log may not tell of, whatever happens outside. */
const DEFECTS = ['defect', 'closing_not_recorded', 'spool_damaged', 'answer_unreadable'];
const CRASH = /unhandled|uncaught/i;
const ERROR_LEVEL = 50;

const READY_WITHIN_MS = 3_000;

/** Nothing ends a gateway but we, unless it finds no store when it starts. */
export function gatewaysLive({ stage }: Aftermath): Invariant {
  const lives = stage.gateways.flatMap((gateway) => gateway.lives);
  const refused = lives.filter((life) => isRefusedStart(life, stage.parts.store));
  const errors = lives.flatMap((life) => errorsIn(life));
  const violations = lives.flatMap((life) => {
    const wrong = refused.includes(life) ? null : wrongWith(life);
    return wrong === null ? [] : [`${wrong}: ${life.end?.errors}${life.end?.output.slice(-1_000)}`];
  });
  const figures = {
    ...counted(lives.map(({ by }) => `ended by ${by}`)),
    'starts that found no store': refused.length,
    ...counted(errors.map((error) => `× error '${error}'`)),
  };
  return invariant('no gateway ends or fails by itself', figures, [
    ...violations,
    ...errors.filter((error) => DEFECTS.includes(error)).map((error) => `logged: ${error}`),
  ]);
}

/** Of those starts during which the store was there. What a crowded machine makes them wait for is not theirs. */
export function startsAreQuick({ stage }: Aftermath): Invariant {
  const { store } = stage.parts;
  const starts = stage.gateways
    .flatMap(({ lives }) => lives.slice(1))
    .flatMap(({ startedAtMs, readyAtMs, crowdedMs }) =>
      readyAtMs !== null && store.wasThere(startedAtMs, readyAtMs)
        ? [{ readyMs: readyAtMs - startedAtMs, ownMs: readyAtMs - startedAtMs - crowdedMs }]
        : [],
    );
  return invariant(
    `the next start is ready within ${READY_WITHIN_MS} ms of its own`,
    {
      starts: starts.length,
      'ms (quickest, median, slowest)': spreadOf(starts.map(({ readyMs }) => readyMs)),
      'ms without the wait for a processor': spreadOf(starts.map(({ ownMs }) => ownMs)),
    },
    starts
      .filter(({ ownMs }) => ownMs >= READY_WITHIN_MS)
      .map(({ readyMs, ownMs }) => `${readyMs} ms, ${ownMs} its own`),
  );
}

function spreadOf(times: readonly number[]): string {
  const sorted = [...times].sort((one, other) => one - other);
  return [0, 0.5, 1].map((share) => sorted[Math.floor((sorted.length - 1) * share)]).join('/');
}

function wrongWith({ by, end }: Life): string | null {
  if (end === null) return 'never ended';
  if (by === 'itself') return `ended by itself with ${end.code ?? end.signal}`;
  if (by === 'stop' && end.code !== 0) return `ended with ${end.code} when it was told to`;
  return end.errors !== '' || CRASH.test(end.output) ? 'failed on its way' : null;
}

function isRefusedStart({ by, startedAtMs, readyAtMs, endedAtMs, end }: Life, store: SoakStore): boolean {
  // A kill may come between its last words and its end.
  const isOver = by === 'kill' || (by === 'itself' && end?.code === 1);
  return isOver && readyAtMs === null && !store.wasThere(startedAtMs, endedAtMs ?? 0);
}

/** What it logged as an error, each by its incident or its first words. */
function errorsIn({ end }: Life): readonly string[] {
  const lines = (end?.output ?? '').split('\n').filter((line) => line.startsWith('{'));
  return lines.flatMap((line) => {
    const { level, incident, msg } = parsed(line);
    return level >= ERROR_LEVEL ? [incident ?? msg] : [];
  });
}

/** A kill may cut the last line short. */
function parsed(line: string): Readonly<{ level: number; incident?: string; msg: string }> {
  try {
    return JSON.parse(line) as Readonly<{ level: number; incident?: string; msg: string }>;
  } catch {
    return { level: 0, msg: '' };
  }
}
