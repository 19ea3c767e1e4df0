import type { Price } from '../../../src/domain/catalog/price';
import { nextAction, type NextAction } from '../../../src/domain/resilience/next-action';
import { aPrice, conditions } from '../../support/sample-catalog';
import { aPlan, aSituation, failedAt, MODEL, NOW_MS, PRIMARY } from '../../support/sample-situation';

const PLAN = aPlan([PRIMARY, MODEL], { maxFallbackCostMultiplier: 5 });

/** What follows the primary's end, at the prices of now by model; the plan was made with 100 and 400 for both. */
function after(prices: Readonly<Record<string, Price | null>>): NextAction {
  const now = {
    ...conditions({}, NOW_MS),
    pricedNow: (route: typeof PRIMARY.route) =>
      route.model in prices ? { ...route, price: prices[route.model] ?? null } : route,
  };
  const ledger = [failedAt(PRIMARY, { class: 'server_error', status: 501, retryable: false })];
  return nextAction(aSituation({ plan: PLAN, ledger, conditions: now }));
}

describe('a hop is judged by the prices of its moment', () => {
  it('takes a fallback that became dearer up to the ceiling, at its new price', () => {
    const price = aPrice(500, 2_000);

    expect(after({ 'claude-s': price })).toMatchObject({
      kind: 'attempt',
      action: 'model_fallback',
      candidate: { route: { id: 'an', price } },
    });
  });

  it.each<[string, Readonly<Record<string, Price>>]>([
    ['the fallback’s input became dearer', { 'claude-s': aPrice(501, 400) }],
    ['the fallback’s output became dearer', { 'claude-s': aPrice(100, 2_001) }],
    ['the primary became cheaper', { 'gpt-s': aPrice(19, 400) }],
  ])('refuses a fallback that is over the ceiling by now: %s', (_why, prices) => {
    expect(after(prices)).toMatchObject({
      kind: 'stop',
      error: { code: 'fallback_cost_ceiling' },
      refusals: [{ route: { id: 'an' }, detail: { reason: 'cost_ceiling', ceiling: 5 } }],
    });
  });

  it('refuses a fallback whose price nobody knows any more', () => {
    expect(after({ 'claude-s': null })).toMatchObject({
      kind: 'stop',
      refusals: [{ detail: { reason: 'cost_unknown', of: 'fallback' } }],
    });
  });
});
