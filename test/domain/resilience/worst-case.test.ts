import { buildCatalog, type Catalog } from '../../../src/domain/catalog/catalog';
import { NO_FULL_GROUPS } from '../../../src/domain/rate/full-groups';
import { DEFAULT_BREAKER } from '../../../src/domain/health/circuit-breaker';
import { budgetOf } from '../../../src/domain/resilience/budget';
import type { Hypothesis } from '../../../src/domain/resilience/hypothesis';
import { worstCaseOf } from '../../../src/domain/resilience/worst-case';
import type { PlannedRoute } from '../../../src/domain/routing/planned-route';
import { settingsWithDefaults } from '../../../src/domain/routing/policy-settings';
import type { SettingsInput } from '../../../src/domain/routing/policy-settings';
import { aPrice, PLAIN_NEEDS, sampleEntries } from '../../support/sample-catalog';
import { aPlan, candidate, MODEL, NOW_MS, PRIMARY, routeAt } from '../../support/sample-situation';

const SIZE = { form: 'whole', needs: { ...PLAIN_NEEDS, maxOutputTokens: 1_000 }, choices: 1 } as const;
/** Without jitter, retries wait 1, 2, 4, 8 and 16 s. */
const STEADY: SettingsInput = {
  retry: { jitter: 0 },
  timeouts: { headersMs: 1_000, idleMs: 2_000, deadlineMs: 300_000 },
};

/** Nothing is repriced: the catalog has the plan's prices. */
function catalogWith(candidates: readonly PlannedRoute[]): Catalog {
  const prices = new Map(candidates.map(({ route }) => [route.id, route.price]));
  const entries = sampleEntries();
  const offerings = entries.offerings.map((offering) => ({
    ...offering,
    price: prices.get(offering.id) ?? (prices.has(offering.id) ? null : offering.price),
  }));
  return buildCatalog({ ...entries, offerings });
}

function worst(
  candidates: readonly PlannedRoute[],
  input: SettingsInput,
  replay: 'until_output' | 'never' = 'until_output',
) {
  const plan = aPlan(candidates, settingsWithDefaults(input));
  const hypothesis: Hypothesis = {
    plan,
    budget: budgetOf(NOW_MS, plan.settings, []),
    replaySafety: replay,
    catalog: catalogWith(candidates),
    breaker: DEFAULT_BREAKER,
  };
  const beginning = { nowMs: NOW_MS, ledger: [], health: new Map(), fullGroups: NO_FULL_GROUPS };
  return worstCaseOf(hypothesis, beginning, SIZE);
}

/** An attempt costs 10 × 100 + 1,000 × 400 = 401,000 pico-USD on the primary. */
const FREE = candidate(routeAt('oa-2', { price: aPrice(0, 0) }), 'channel_fallback');
/** And 10 × 1,000,000 + 1,000 × 5,000,000 here. */
const DEAR = candidate(
  routeAt('an', { provider: 'anthropic', model: 'claude-s', price: aPrice(1_000_000, 5_000_000) }),
  'model_fallback',
);
const UNPRICED = candidate(routeAt('mi', { provider: 'anthropic', price: null }), 'model_fallback');

describe('the worst case', () => {
  it.each([
    { name: 'is one attempt without retries', candidates: [PRIMARY], maxRetries: 0, expected: [1, 1] },
    { name: 'has every retry of the only route', candidates: [PRIMARY], maxRetries: 5, expected: [6, 3] },
    { name: 'ends at eight attempts', candidates: [PRIMARY, MODEL], maxRetries: 5, expected: [8, 4] },
  ])('$name', ({ candidates, maxRetries, expected: [attempts, costMicroUsd] }) => {
    const found = worst(candidates, { ...STEADY, retry: { maxRetries } });

    expect(found.attempts).toBe(attempts);
    expect(found.cost).toEqual({ kind: 'known', costMicroUsd });
  });

  it('skips a cheaper route for a dearer one, as an open circuit may', () => {
    const settings = { ...STEADY, maxHops: 2, retry: { maxRetries: 0 } };

    expect(worst([PRIMARY, FREE, DEAR], settings).cost).toEqual({ kind: 'known', costMicroUsd: 5_011 });
  });

  it('is one attempt where nothing may be repeated', () => {
    expect(worst([PRIMARY, DEAR], STEADY, 'never').attempts).toBe(1);
  });

  it('is unknown where a route without a price could be asked', () => {
    expect(worst([PRIMARY, UNPRICED], STEADY).cost).toEqual({
      kind: 'unknown',
      reason: 'price_unknown',
      routes: [UNPRICED.route],
    });
  });

  it('doesn’t ask a route that is refused for good', () => {
    const refusal = {
      route: { id: 'mi', provider: 'anthropic', channel: 'mi', model: 'gpt-s' },
      detail: { reason: 'disabled' },
    } as const;

    expect(worst([PRIMARY, { ...UNPRICED, refusal }], STEADY).cost.kind).toBe('known');
  });

  it('lasts as long as all limits and waits together', () => {
    expect(worst([PRIMARY], STEADY).time).toEqual({ totalMs: 49_000, deadlineMs: 300_000 });
  });

  it('never lasts longer than the deadline', () => {
    const settings = { ...STEADY, timeouts: { ...STEADY.timeouts, deadlineMs: 20_000 } };

    expect(worst([PRIMARY], settings).time).toEqual({ totalMs: 20_000, deadlineMs: 20_000 });
  });

  it('is nothing where no route may be asked', () => {
    expect(worst([], STEADY)).toEqual({
      attempts: 0,
      cost: { kind: 'known', costMicroUsd: 0 },
      time: { totalMs: 0, deadlineMs: 300_000 },
    });
  });
});
