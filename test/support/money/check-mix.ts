import { bookErrors } from '../../../src/domain/wallet/books';
import { matchCalls } from './charged';
import { checkCost, type Basis, type CheckedCost } from './cost-check';
import { counted } from './grouped';
import { checkKeys } from './key-check';
import type { Mix, PaidTenant } from './mix';
import type { Seen } from './seen';
import type { SeenInteraction } from './stored-interactions';

export type Sums = Readonly<{ interactions: number; costMicroUsd: number; chargedMicroUsd: number }>;

export type Report = Readonly<{
  /** Empty: the money is where it belongs, to the last micro-USD. */
  faults: readonly string[];
  states: Readonly<Record<string, number>>;
  calls: number;
  replays: number;
  sums: Readonly<Record<Basis, Sums>>;
}>;

/** Holds callers, providers and our own books against each other. */
export function checkMix(mix: Mix, seen: Seen): Report {
  const { asked, calls, interactions } = seen;
  const matched = matchCalls(calls, interactions);
  const costs = interactions.map((interaction) => checkCost(interaction, matched));
  return {
    faults: [
      ...matched.strays.map((call) => `no attempt on record for ${JSON.stringify(call)}`),
      ...matched.confused.map((call) => `the record says otherwise of ${JSON.stringify(call)}`),
      ...costs.flatMap(({ faults }) => faults),
      ...interactions.flatMap(markFaults),
      ...checkCallers(seen),
      ...checkKeys(mix, seen),
      ...walletFaults(seen, 'demo'),
      ...walletFaults(seen, 'poor'),
      ...(seen.entriesSum === 0 ? [] : [`all entries sum to ${seen.entriesSum}`]),
    ],
    states: counted(interactions.map(({ state }) => state)),
    calls: calls.length,
    replays: asked.filter(({ replayed }) => replayed).length,
    sums: { told: sumsOf(costs, 'told'), estimated: sumsOf(costs, 'estimated') },
  };
}

/** A guess at the last attempt's usage says so where the interaction is read, too. */
function markFaults({ request_id: id, state, attempts, usage_source: source }: SeenInteraction): string[] {
  const last = attempts.at(-1);
  const guessed = last !== undefined && (last.ended_at === null || last.usage_source === 'estimated');
  return guessed && source !== 'estimated' ? [`${id}: ${state} by a guess, marked as ${source}`] : [];
}

/** Who has read a whole answer finds it served; and nobody is left without an end that somebody caused. */
function checkCallers({ asked, interactions }: Seen): readonly string[] {
  const stateOf = new Map(interactions.map(({ request_id: id, state }) => [id, state]));
  return asked.flatMap(({ end, requestId, callerId, status, text }) => {
    if (end === 'lost') return [`${callerId} got neither an answer nor an error: ${status} ${text}`];
    const unserved = end === 'answered' && stateOf.get(requestId ?? '') !== 'served';
    return unserved ? [`${callerId} was answered, ${requestId} is ${stateOf.get(requestId ?? '')}`] : [];
  });
}

function walletFaults({ books, credits, interactions }: Seen, tenant: PaidTenant): readonly string[] {
  const { wallet } = books[tenant];
  const spent = interactions
    .filter((interaction) => interaction.tenant === tenant)
    .reduce((sum, { cost_micro_usd: cost }) => sum + (cost ?? NaN), 0);
  const expected = {
    availableMicroUsd: credits[tenant] - spent,
    reservedMicroUsd: 0,
    spentMicroUsd: spent,
  };
  return [
    ...bookErrors(books[tenant]),
    ...(JSON.stringify(wallet) === JSON.stringify(expected)
      ? []
      : [`${JSON.stringify(wallet)} in the wallet, ${JSON.stringify(expected)} by the records`]),
  ].map((fault) => `${tenant}: ${fault}`);
}

function sumsOf(costs: readonly CheckedCost[], basis: Basis): Sums {
  const own = costs.filter((cost) => cost.basis === basis);
  return {
    interactions: own.length,
    costMicroUsd: own.reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0),
    chargedMicroUsd: own.reduce((sum, { chargedMicroUsd }) => sum + chargedMicroUsd, 0),
  };
}
