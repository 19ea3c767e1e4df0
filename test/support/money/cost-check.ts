import { microUsdOf } from '../../../src/domain/kernel/money';
import type { AttemptRow } from '../../../src/infra/store/attempt-row';
import { chargedPico, priceAt, type Matched } from './charged';
import { MAX_OUTPUT_TOKENS } from './mix';
import type { ProviderCall } from './provider-call';
import type { SeenInteraction } from './stored-interactions';

/**
 * Our estimate of an input counts the names in a message as well (`role`, `content`, …), four bytes a token. A message of
 * a mix has 15 bytes of them.
 */
const INPUT_SLACK_TOKENS = 4;
/** An answer that began counts as one token, and Anthropic says so before any word. */
const OUTPUT_SLACK_TOKENS = 1;

/** How an interaction's cost was found: told by its providers to the last token, or by a guess at least in part. */
export type Basis = 'told' | 'estimated';

export type CheckedCost = Readonly<{
  basis: Basis;
  costMicroUsd: number;
  chargedMicroUsd: number;
  faults: readonly string[];
}>;

/** Holds what an interaction is recorded to have cost against what its providers charge, attempt by attempt. */
export function checkCost(interaction: SeenInteraction, { callOf }: Matched): CheckedCost {
  const { request_id: id, attempts } = interaction;
  const ours = attempts.map(costPicoOf);
  const charged = attempts.map((attempt) => charge(callOf(attempt)));
  const basis = attempts.some(isEstimated) ? 'estimated' : 'told';
  const costMicroUsd = interaction.cost_micro_usd ?? NaN;
  const chargedMicroUsd = microUsdOf(sum(charged));
  const faults = attempts.flatMap((attempt) => attemptFaults(attempt, callOf(attempt)));
  if (costMicroUsd !== microUsdOf(sum(ours))) {
    faults.push(`cost ${interaction.cost_micro_usd} of attempts that cost ${ours.join(' + ')} pico-USD`);
  }
  if (basis === 'told' && costMicroUsd !== chargedMicroUsd) {
    faults.push(`cost ${costMicroUsd} where ${chargedMicroUsd} was charged`);
  }
  return { basis, costMicroUsd, chargedMicroUsd, faults: faults.map((fault) => `${id}: ${fault}`) };
}

function charge(call: ProviderCall | undefined): number {
  return call === undefined ? 0 : chargedPico(call);
}

/** An attempt without an end costs its input, as far as that can be guessed (ADR 15). */
function costPicoOf(attempt: AttemptRow): number {
  return (attempt.ended_at === null ? attempt.estimated_cost_pico_usd : attempt.cost_pico_usd) ?? NaN;
}

function isEstimated({ ended_at: endedAt, usage_source: source }: AttemptRow): boolean {
  return endedAt === null || source === 'estimated';
}

function attemptFaults(attempt: AttemptRow, call: ProviderCall | undefined): string[] {
  const difference = costPicoOf(attempt) - charge(call);
  const [least, most] = isEstimated(attempt) ? bounds(attempt) : [0, 0];
  if (difference >= least && difference <= most) return [];
  return [
    `attempt ${attempt.number} at ${attempt.provider} (${attempt.usage_source ?? 'running'}, ${attempt.fault_class},
     ${attempt.fault_code}, ${attempt.stage}, ${attempt.aborted_by}): ${costPicoOf(attempt)} pico-USD on record, ${JSON.stringify(call ?? null)} charged`,
  ];
}

/**
 * How far a guess may be off, pico-USD. Too high: by the slack of both estimates, or by a whole input that was never read.
 * Too low: never, where all that was said has come; by a whole answer, where nobody was left to count it, or none of it came.
 */
function bounds(attempt: AttemptRow): readonly [number, number] {
  const { input, output } = priceAt(attempt.provider);
  const unseen = attempt.ended_at === null || attempt.aborted_by !== null || attempt.output_tokens === 0;
  // Only a tenant with a wallet has an estimate before the attempt.
  const unread = unseen ? (attempt.estimated_input_tokens ?? attempt.input_tokens ?? 0) : INPUT_SLACK_TOKENS;
  return [unseen ? -MAX_OUTPUT_TOKENS * output : 0, unread * input + OUTPUT_SLACK_TOKENS * output];
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
