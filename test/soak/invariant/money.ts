import { matchCalls } from '../../support/money/charged';
import { checkCost, type Basis, type CheckedCost } from '../../support/money/cost-check';
import { grouped } from '../../support/money/grouped';
import { keyFaults } from '../../support/money/key-check';
import type { SeenInteraction } from '../../support/money/stored-interactions';
import type { Aftermath } from '../aftermath';
import { invariant, type Invariant } from './invariant';

/** What providers told is on record to the micro-USD, and what had to be guessed says so and is bounded. */
export function costsAreCharges({ calls, interactions }: Aftermath): Invariant {
  const matched = matchCalls(calls, interactions);
  const unknown = interactions.filter(isUnknown);
  const costs = interactions.filter((one) => !isUnknown(one)).map((one) => checkCost(one, matched));
  return invariant(
    'costs are what providers charge',
    {
      ...sumsOf(costs, 'told'),
      ...sumsOf(costs, 'estimated'),
      'of a cost that nobody knows, as they were interrupted': unknown.length,
    },
    [
      ...costs.flatMap(({ faults }) => faults),
      ...unknown
        .filter(({ state }) => state !== 'interrupted')
        .map(({ request_id: id }) => `${id} has no cost`),
    ],
  );
}

/** Only a tenant with a wallet is charged for what nobody saw the end of (ADR 15). */
function isUnknown({ tenant, cost_micro_usd: cost }: SeenInteraction): boolean {
  return tenant === 'plain' && cost === null;
}

function sumsOf(costs: readonly CheckedCost[], basis: Basis): Readonly<Record<string, number>> {
  const own = costs.filter((cost) => cost.basis === basis);
  const sum = (amount: (cost: CheckedCost) => number): number =>
    own.reduce((total, cost) => total + amount(cost), 0);
  return {
    [`interactions ${basis}`]: own.length,
    [`micro-USD on record (${basis})`]: sum(({ costMicroUsd }) => costMicroUsd),
    [`micro-USD charged (${basis})`]: sum(({ chargedMicroUsd }) => chargedMicroUsd),
  };
}

/** Balance = credits − costs, nothing stays reserved, and the books balance. */
export function walletIsRight({ run, books, interactions }: Aftermath): Invariant {
  const spent = interactions
    .filter(({ tenant }) => tenant === 'paying')
    .reduce((sum, { cost_micro_usd: cost }) => sum + (cost ?? NaN), 0);
  const expected = {
    balance_micro_usd: run.creditedMicroUsd - spent,
    available_micro_usd: run.creditedMicroUsd - spent,
    reserved_micro_usd: 0,
    spent_micro_usd: spent,
    credited_micro_usd: run.creditedMicroUsd,
  };
  const violations = ['wallet', 'entries']
    .filter((side) => JSON.stringify(books[side]) !== JSON.stringify(expected))
    .map((side) => `${side} is ${JSON.stringify(books[side])}, not ${JSON.stringify(expected)}`);
  if (books['consistent'] !== true) violations.push(JSON.stringify(books));
  return invariant(
    'the wallet is credits − costs',
    { 'micro-USD paid in': run.creditedMicroUsd, spent, left: expected.balance_micro_usd },
    violations,
  );
}

/** One billable interaction and one answer for each key, at whichever gateway it was sent how often. */
export function keysAreBilledOnce({ run, interactions }: Aftermath): Invariant {
  const recordsOf = grouped(interactions, ({ tag }) => tag);
  const keyed = run.asked.filter(({ question }) => question.idempotencyKey !== null);
  const askedOf = grouped(keyed, ({ tag }) => tag);
  const violations = [...askedOf].flatMap(([tag, asked]) =>
    keyFaults(recordsOf.get(tag) ?? [], asked).map((fault) => `${tag}: ${fault}`),
  );
  return invariant(
    'an idempotency key is billed once',
    { keys: askedOf.size, requests: keyed.length },
    violations,
  );
}
