import * as fc from 'fast-check';
import { DEFAULT_BREAKER } from '../../../src/domain/health/circuit-breaker';
import { freshHealth } from '../../../src/domain/health/route-health';
import { supposed } from '../../../src/domain/health/supposed-health';
import { worstAttemptCost } from '../../../src/domain/interaction/worst-attempt-cost';
import { FAULT_CAUSES } from '../../../src/domain/resilience/sample-mishap';
import { groupCounters } from '../../../src/domain/rate/rate-counter';
import type { FaultCause } from '../../../src/domain/resilience/sample-mishap';
import type { Explanation } from '../../../src/usecase/routing/explanation';
import { ExplainRouting } from '../../../src/usecase/routing/explain-routing';
import { ChatBench } from '../../support/chat-bench';
import type { RecordingReply } from '../../support/recording-reply';
import { aTenant } from '../../support/sample-catalog';
import { breaksWith, failsWith, HANGS } from '../../support/scripted-behaviours';
import type { Script } from '../../support/scripted-behaviours';
import type { Behaviour } from '../../support/scripted-provider';
import { anyQuestion } from './any-question';
import type { Drawn } from './any-question';

const RUNS = 1_000;

/** Written down apart from the samples of the explanation. */
const BEHAVIOURS: Readonly<Record<FaultCause, Behaviour>> = {
  rate_limited: failsWith(429, 0),
  server_error: failsWith(503, 0),
  timeout: HANGS,
  network: breaksWith({ kind: 'network', code: 'ECONNRESET' }, 0),
  credential: failsWith(401, 0),
  malformed: {
    kind: 'answers',
    headersAfterMs: 0,
    bodyAfterMs: 0,
    outcome: { kind: 'failed', signal: { kind: 'malformed', what: 'not_json' } },
  },
  context_length: {
    kind: 'fails',
    afterMs: 0,
    status: 400,
    signal: {
      kind: 'provider_error',
      status: 400,
      body: {
        error: {
          message: 'The context is too long.',
          type: 'invalid_request_error',
          code: 'context_length_exceeded',
          param: 'messages',
        },
      },
      hints: { retryAfter: null, retryAfterMs: null, shouldRetry: null },
    },
  },
};

const everywhere = (behave: () => Behaviour): Script =>
  Object.fromEntries(['oa-1', 'oa-2', 'az', 'an', 'mi'].map((route) => [route, behave]));

async function benchFor(drawn: Drawn, behave: () => Behaviour, draw: number): Promise<ChatBench> {
  const { entries, policy, health, groups, busyGroups } = drawn;
  const bench = new ChatBench({ entries, policy, script: everywhere(behave), draw: () => draw });
  for (const [route, supposition] of health) {
    bench.health.set(route, supposed(freshHealth(), supposition, bench.clock.nowMs(), DEFAULT_BREAKER));
  }
  for (const counter of groupCounters({ id: aTenant().id, groups })) {
    if (busyGroups.includes(counter.group)) await bench.rates.take(counter);
  }
  return bench;
}

/** Asks with what is supposed said in the question, and nothing observed. */
async function explained(drawn: Drawn, bench: ChatBench): Promise<Explanation> {
  const { request, keyGroups, groupStrategy, groups, health, failover, eligibility, canary } = drawn;
  const tenant = aTenant({ features: { failover }, eligibility, groups });
  const explain = new ExplainRouting({
    configuration: { ...bench.configuration, tenant: () => tenant },
    health: { get: freshHealth },
    rates: bench.rates,
    clock: bench.clock,
    breaker: DEFAULT_BREAKER,
    maxDeadlineMs: 600_000,
  });
  const explanation = await explain.execute({
    tenant: tenant.id,
    policy: 'main',
    request,
    keyGroups,
    groupStrategy,
    supposing: { providers: new Map(), channels: new Map(), offerings: health },
    draft: null,
    side: canary ? 'canary' : 'ordinary',
  });
  if (!explanation.ok) throw new Error(JSON.stringify(explanation.error));
  return explanation.value;
}

/** What was really done, in the words in which the explanation can be put too. */
function realStory(bench: ChatBench, reply: RecordingReply): object {
  const { opening, closing } = bench.store.only;
  return {
    policy: opening.policy,
    canary: opening.canary,
    planned: opening.planned.map(({ id }) => id),
    refusedAtFirst: opening.refusals,
    attempts: bench.store.ledger.map(({ action, route, backoffMs, trial }) => [
      action,
      route.id,
      backoffMs,
      trial,
    ]),
    state: closing?.state,
    error: reply.error,
    refusals: closing?.refusals,
  };
}

/** What was foretold of a failure of every route for one cause. */
function foretold({ plan, first, faults }: Explanation, cause: FaultCause, chance: Chance): object {
  const outlook = faults.find((course) => course.cause === cause)?.[chance];
  const end = outlook?.end ?? first;
  const { attempts = [] } = outlook ?? {};
  return {
    policy: plan.policy,
    canary: plan.canary,
    planned: plan.candidates.map(({ route }) => route.id),
    refusedAtFirst: plan.refusals,
    attempts: attempts.map(({ action, candidate, delayMs, trial }) => [
      action,
      candidate.route.id,
      delayMs,
      trial,
    ]),
    ...(end.kind === 'stop' ? { state: end.state, error: end.error } : {}),
    refusals: end.refusals,
  };
}

type Chance = 'soonest' | 'latest';
const DRAWS: Readonly<Record<Chance, number>> = { soonest: 0, latest: 1 - Number.EPSILON / 2 };

describe('an explanation and the real run', () => {
  it('agree in the order of routes, the waits, the refusals and the end', async () => {
    const met = { attempts: 0, fallbacks: 0, unattempted: 0, errors: new Set<string>() };
    const property = fc.asyncProperty(
      anyQuestion,
      fc.constantFrom(...FAULT_CAUSES),
      fc.constantFrom<Chance>('soonest', 'latest'),
      async (drawn, cause, chance) => {
        const bench = await benchFor(drawn, () => BEHAVIOURS[cause], DRAWS[chance]);
        const beganAtMs = bench.clock.nowMs();
        const explanation = await explained(drawn, bench);

        const reply = await bench.complete(drawn);

        const { ledger } = bench.store;
        expect(realStory(bench, reply)).toEqual(foretold(explanation, cause, chance));
        const lastedMs = (ledger.at(-1)?.endedAtMs ?? beganAtMs) - beganAtMs;
        expect(lastedMs).toBeLessThanOrEqual(explanation.worstCase.time.totalMs);

        met.attempts += ledger.length;
        met.fallbacks += ledger.filter(({ action }) => action.endsWith('fallback')).length;
        met.unattempted += ledger.length === 0 ? 1 : 0;
        met.errors.add(reply.error?.code ?? '-');
      },
    );

    await fc.assert(property, { numRuns: RUNS });

    // Or the two would agree about nothing in particular.
    expect(met.attempts).toBeGreaterThan(RUNS);
    expect(met.fallbacks).toBeGreaterThan(RUNS / 10);
    expect(met.unattempted).toBeGreaterThan(RUNS / 50);
    expect(met.errors.size).toBeGreaterThan(5);
  }, 120_000);

  it('agree that nothing costs more, or takes more attempts, than the worst case says', async () => {
    const property = fc.asyncProperty(
      anyQuestion,
      fc.array(fc.constantFrom(...FAULT_CAUSES), { minLength: 8, maxLength: 8 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      async (drawn, causes, draw) => {
        let made = 0;
        const behave = () => BEHAVIOURS[causes[made++ % causes.length] ?? 'network'];
        const bench = await benchFor(drawn, behave, draw);
        const { worstCase, request } = await explained(drawn, bench);

        await bench.complete(drawn);

        const real = bench.store.ledger;
        expect(real.length).toBeLessThanOrEqual(worstCase.attempts);
        const costs = real.map(({ route }) => worstAttemptCost(route, { needs: request.needs, choices: 1 }));
        if (worstCase.cost.kind === 'unknown') return;
        expect(costs.filter((cost) => typeof cost === 'string')).toEqual([]);
        const pico = costs.reduce<number>((sum, cost) => sum + Number(cost), 0);
        expect(Math.ceil(pico / 1_000_000)).toBeLessThanOrEqual(worstCase.cost.costMicroUsd);
      },
    );

    await fc.assert(property, { numRuns: RUNS });
  }, 120_000);
});
