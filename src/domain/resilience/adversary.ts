import type { Route } from '../catalog/route';
import { freshHealth, openedUntil } from '../health/route-health';
import type { RouteHealth } from '../health/route-health';
import type { Ledger } from '../interaction/ledger';
import type { OfferingId } from '../kernel/ids';
import { NO_FULL_GROUPS } from '../rate/full-groups';
import { SMALLEST_DRAW } from './backoff';
import { decide, suffer } from './hypothesis';
import type { Hypothesis, Moment } from './hypothesis';
import type { NextAction, NextAttempt } from './next-action';
import { hastyMishap } from './sample-mishap';
import type { FaultCause } from './sample-mishap';

/** What the attempts of one interaction add up to, each at its largest; not all of them in the same course. */
export type Toll = Readonly<{ attempts: number; costPico: number; durationMs: number }>;

/** What one attempt adds, and which routes are worth luring a request to. */
export type Temptation = Readonly<{
  tollOf: (moment: Moment, next: NextAttempt) => Toll;
  lures: readonly OfferingId[];
}>;

export type Search = Readonly<{
  hypothesis: Hypothesis;
  beginning: Moment;
  temptation: Temptation;
  /** Tolls from each point on, by what the point's future depends on. */
  known: Map<string, Toll>;
  /** Every route that can be asked. */
  reached: Map<OfferingId, Route>;
}>;

const NOTHING: Toll = { attempts: 0, costPico: 0, durationMs: 0 };

/** What leaves every way open goes first; what can happen only once goes last. */
const CAUSES: readonly FaultCause[] = [
  'rate_limited',
  'credential',
  'server_error',
  'context_length',
  'network',
  'timeout',
  'malformed',
];
const HASTY_MISHAPS = CAUSES.map(hastyMishap);

/**
 * The worst that somebody could bring about who chooses how each attempt fails, and how the circuits and throttles of
 * all routes change after it. What may follow is decided by the rules that decide it for a real interaction; no time
 * passes, so that the deadline ends no course early.
 */
export function worstToll(search: Search): Toll {
  return tollFrom(search, search.beginning, decide(search.hypothesis, search.beginning, SMALLEST_DRAW));
}

function tollFrom(search: Search, moment: Moment, next: NextAction): Toll {
  if (next.kind === 'stop') return NOTHING;
  const point = pointOf(moment, next);
  const known = search.known.get(point);
  if (known !== undefined) return known;
  const { route } = next.candidate;
  search.reached.set(route.id, route);
  const own = search.temptation.tollOf(moment, next);
  const later = largest(
    consequencesOf(search, moment, next).map((consequence) =>
      tollFrom(search, consequence.moment, consequence.action),
    ),
  );
  const toll = {
    attempts: own.attempts + later.attempts,
    costPico: own.costPico + later.costPico,
    durationMs: own.durationMs + later.durationMs,
  };
  search.known.set(point, toll);
  return toll;
}

type Consequence = Readonly<{ moment: Moment; action: NextAttempt }>;

/** What can follow an attempt. The first mishap that leads to an action stands for all that do: it forbids the least. */
function consequencesOf(search: Search, moment: Moment, next: NextAttempt): readonly Consequence[] {
  const { hypothesis, beginning } = search;
  const ledgers = HASTY_MISHAPS.map((mishap) => suffer(hypothesis, moment, next, mishap).ledger);
  const found = new Map<string, Consequence>();
  for (const health of healthsAfter(search, ledgers[0] ?? moment.ledger)) {
    const kinds = new Set<'retry' | 'move'>();
    for (const ledger of ledgers) {
      // Nothing changes between two mishaps but whether the route is kept or left.
      if (kinds.size === 2) break;
      // A minute may be over before the request is; a group that stays full is like a closed one.
      const after: Moment = { nowMs: beginning.nowMs, ledger, health, fullGroups: NO_FULL_GROUPS };
      const action = decide(hypothesis, after, SMALLEST_DRAW);
      if (action.kind === 'stop') continue;
      kinds.add(action.action === 'retry' ? 'retry' : 'move');
      const name = `${action.action} ${action.candidate.route.id} ${action.delayMs > 0}`;
      if (!found.has(name)) found.set(name, { moment: after, action });
    }
  }
  return [...found.values()];
}

/** As observed; all routes healthy; none but the current one; and none but the current one and one that is worth it. */
function healthsAfter(
  { hypothesis, beginning, temptation }: Search,
  ledger: Ledger,
): readonly ReadonlyMap<OfferingId, RouteHealth>[] {
  const { plan, breaker } = hypothesis;
  const tried = new Set(ledger.map(({ route }) => route.id));
  const hopsLeft = plan.settings.maxHops - tried.size;
  if (hopsLeft <= 0) return [beginning.health, new Map()];
  const closed = openedUntil(freshHealth(), beginning.nowMs + breaker.openMs);
  const others = plan.candidates.map(({ route }) => route.id).filter((id) => !tried.has(id));
  const onlyBeside = (lure: OfferingId | null): ReadonlyMap<OfferingId, RouteHealth> =>
    new Map(others.filter((id) => id !== lure).map((id) => [id, closed]));
  const lures = temptation.lures.filter((id) => !tried.has(id)).slice(0, hopsLeft);
  return [beginning.health, new Map(), onlyBeside(null), ...lures.map(onlyBeside)];
}

function largest(tolls: readonly Toll[]): Toll {
  return tolls.reduce(
    (one, other) => ({
      attempts: Math.max(one.attempts, other.attempts),
      costPico: Math.max(one.costPico, other.costPico),
      durationMs: Math.max(one.durationMs, other.durationMs),
    }),
    NOTHING,
  );
}

function pointOf({ ledger }: Moment, next: NextAttempt): string {
  const tried = [...new Set(ledger.map(({ route }) => route.id))].sort();
  const onRoute = ledger.filter(({ route }) => route.id === next.candidate.route.id).length;
  return JSON.stringify([next.candidate.route.id, next.delayMs > 0, onRoute, ledger.length, tried]);
}
