import fc from 'fast-check';
import type { RouteCondition } from '../../../src/domain/health/provider-health';
import type { Attempt } from '../../../src/domain/interaction/attempt';
import { FAULT_CLASSES, STAGES } from '../../../src/domain/resilience/fault';
import type { Fault } from '../../../src/domain/resilience/fault';
import { nextAction } from '../../../src/domain/resilience/next-action';
import type { NextAttempt, NextStop } from '../../../src/domain/resilience/next-action';
import type { Plan } from '../../../src/domain/routing/plan';
import { FAILOVER_CAUSES } from '../../../src/domain/routing/policy-settings';
import type { FailoverCause } from '../../../src/domain/routing/policy-settings';
import { conditions } from '../../support/sample-catalog';
import {
  ABROAD,
  aFault,
  anAttempt,
  aPlan,
  aSituation,
  CHANNEL,
  MODEL,
  NOW_MS,
  PRIMARY,
  SMALL_MODEL,
} from '../../support/sample-situation';

const DEADLINE_AT_MS = NOW_MS + 60_000;
const MIN_ATTEMPT_MS = 1_000;

type Step = Readonly<{ action: NextAttempt; startedAtMs: number; fault: Fault }>;
type Run = Readonly<{
  plan: Plan;
  steps: readonly Step[];
  end: NextStop | null;
  failoverOn: readonly FailoverCause[];
}>;

const fault: fc.Arbitrary<Fault> = fc
  .record({
    class: fc.constantFrom(...FAULT_CLASSES),
    stage: fc.constantFrom(...STAGES),
    code: fc.constantFrom(null, 'context_length_exceeded', 'conflict_error', 'ECONNRESET', 'tool_use_failed'),
    status: fc.constantFrom(null, 200, 404, 413, 503),
    retryAfterMs: fc.option(fc.integer({ min: 1, max: 2 ** 31 - 1 })),
    retryable: fc.boolean(),
    requestSent: fc.constantFrom('no', 'maybe', 'yes'),
    param: fc.constantFrom(null, 'tools', 'x'),
  })
  .map(aFault);

const condition: fc.Arbitrary<Partial<RouteCondition>> = fc.record({
  circuit: fc.oneof(
    { weight: 4, arbitrary: fc.constant({ state: 'closed' } as const) },
    fc.record({
      state: fc.constant('open' as const),
      untilMs: fc.nat(200_000).map((ms) => NOW_MS + ms),
      trialTaken: fc.boolean(),
    }),
    fc.record({ state: fc.constant('half_open' as const), trialTaken: fc.boolean() }),
  ),
  throttledUntilMs: fc.option(
    fc.nat(90_000).map((ms) => NOW_MS + ms),
    { freq: 1 },
  ),
});

const health = fc.record({
  'oa-1': condition,
  'oa-2': condition,
  az: condition,
  an: condition,
  mi: condition,
});

const settings = fc.record({
  maxHops: fc.integer({ min: 1, max: 3 }),
  failoverOn: fc.subarray([...FAILOVER_CAUSES]),
  retry: fc.record({
    maxRetries: fc.nat(20),
    maxRetriesBeforeFallback: fc.nat(20),
    baseDelayMs: fc.nat(2_000),
    maxDelayMs: fc.nat(60_000),
    jitter: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
});

/** Whole interactions: every action is carried out and ends with the next fault, until nothing more may be done. */
const run: fc.Arbitrary<Run> = fc
  .record({
    settings,
    candidates: fc.subarray([PRIMARY, CHANNEL, ABROAD, MODEL, SMALL_MODEL], { minLength: 1 }),
    faults: fc.array(fault, { minLength: 25, maxLength: 25 }),
    healths: fc.array(health, { minLength: 1, maxLength: 4 }),
    draw: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    replaySafety: fc.constantFrom('until_output', 'until_output', 'never'),
  })
  .map(({ settings: given, candidates, faults, healths, draw, replaySafety }) => {
    const plan = aPlan(candidates, given);
    const steps: Step[] = [];
    const ledger: Attempt[] = [];
    let nowMs = NOW_MS;
    for (const [index, next] of faults.entries()) {
      const action = nextAction(
        aSituation({
          plan,
          ledger,
          budget: { openedAtMs: NOW_MS, deadlineAtMs: DEADLINE_AT_MS, minAttemptMs: MIN_ATTEMPT_MS },
          conditions: conditions(healths[index % healths.length], nowMs),
          draw,
          replaySafety,
        }),
      );
      if (action.kind === 'stop') return { plan, steps, end: action, failoverOn: given.failoverOn };
      steps.push({ action, startedAtMs: nowMs + action.delayMs, fault: next });
      nowMs += action.delayMs + 50;
      ledger.push(
        anAttempt({
          route: action.candidate.route,
          endedAtMs: nowMs,
          outcome: { kind: 'failed', fault: next },
        }),
      );
    }
    return { plan, steps, end: null, failoverOn: given.failoverOn };
  });

/** A local fault that ended before anything was sent is no upstream call. */
function isUpstreamCall({ fault: { class: faultClass, requestSent } }: Step): boolean {
  return faultClass !== 'local' || requestSent !== 'no';
}

const idOf = ({ action }: Step): string => action.candidate.route.id;

function holdsForEveryRun(check: (whole: Run) => void): void {
  fc.assert(fc.property(run, check), { numRuns: 400 });
}

describe('next action, over whole interactions', () => {
  it('always comes to an end', () => {
    holdsForEveryRun(({ end }) => {
      expect(end).not.toBeNull();
    });
  });

  it('makes at most eight attempts', () => {
    holdsForEveryRun(({ steps }) => {
      expect(steps.filter(isUpstreamCall).length).toBeLessThanOrEqual(8);
    });
  });

  it('takes at most as many routes as the policy has hops', () => {
    holdsForEveryRun(({ plan, steps }) => {
      expect(new Set(steps.filter(isUpstreamCall).map(idOf)).size).toBeLessThanOrEqual(plan.settings.maxHops);
    });
  });

  it('does nothing after output, and nothing after a fault that ends everything', () => {
    const last = ['cancelled', 'caller', 'refusal', 'ambiguous', 'partial'];

    holdsForEveryRun(({ steps }) => {
      const followed = steps.slice(0, -1).map((step) => step.fault);

      expect(
        followed.filter((earlier) => earlier.stage === 'after_output' || last.includes(earlier.class)),
      ).toEqual([]);
    });
  });

  it('waits a finite time that leaves the attempt its minimum', () => {
    holdsForEveryRun(({ steps }) => {
      for (const { action, startedAtMs } of steps) {
        expect(action.delayMs >= 0 && action.delayMs < 2 ** 31).toBe(true);
        expect(startedAtMs).toBeLessThanOrEqual(DEADLINE_AT_MS - MIN_ATTEMPT_MS);
      }
    });
  });

  it('never comes back to a route that it left', () => {
    holdsForEveryRun(({ steps }) => {
      const visits = steps.map(idOf).filter((id, index, all) => id !== all[index - 1]);

      expect(new Set(visits).size).toBe(visits.length);
    });
  });

  it('calls an attempt a retry if and only if the route stays', () => {
    holdsForEveryRun(({ steps }) => {
      for (const [index, step] of steps.entries()) {
        const previous = steps[index - 1];
        expect(step.action.action === 'retry').toBe(previous !== undefined && idOf(previous) === idOf(step));
      }
    });
  });

  it('never fails over from a primary that may fail over on nothing', () => {
    holdsForEveryRun(({ plan, steps, failoverOn }) => {
      const moved = steps.filter(({ action }) => action.candidate.failover && action.action !== 'retry');
      const byFault = moved.filter((step) => steps.slice(0, steps.indexOf(step)).some(isNoLocalFault));

      expect(failoverOn.length === 0 && plan.primary !== null ? byFault : []).toEqual([]);
    });
  });

  it('never takes a model fallback for a fault that the policy does not list', () => {
    holdsForEveryRun(({ steps, failoverOn }) => {
      for (const [index, { action }] of steps.entries()) {
        const cause = steps.slice(0, index).findLast(isNoLocalFault)?.fault;
        if (cause === undefined || !action.candidate.failover || action.action === 'retry') continue;
        const listed: readonly string[] = cause.class === 'contract' ? ['context_length'] : [cause.class];
        expect(failoverOn).toEqual(expect.arrayContaining(listed));
      }
    });
  });

  it('sends nothing twice where replay is forbidden', () => {
    fc.assert(
      fc.property(fault, (sent) => {
        const ledger = [anAttempt({ route: PRIMARY.route, outcome: { kind: 'failed', fault: sent } })];

        const action = nextAction(
          aSituation({ plan: aPlan([PRIMARY, MODEL]), ledger, replaySafety: 'never' }),
        );

        expect(action.kind === 'attempt' && sent.requestSent !== 'no').toBe(false);
      }),
    );
  });
});

function isNoLocalFault({ fault: { class: faultClass } }: Step): boolean {
  return faultClass !== 'local';
}
