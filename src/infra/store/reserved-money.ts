import type { ClosingRecord, OpeningRecord } from '../../domain/audit/audit-record';
import type { MicroUsd } from '../../domain/kernel/money';
import type { Owner } from '../../domain/wallet/movement';
import type { InsufficientBalance } from '../../usecase/port/interaction-store';
import type { InteractionRow } from './interaction-row';
import type { AdvanceWrite } from './interaction-store';

/** What an interaction needs to be held before an attempt, and what it holds so far. */
export type Need = Readonly<{
  owner: Owner;
  attempt: number;
  requiredMicroUsd: MicroUsd;
  heldMicroUsd: MicroUsd;
}>;

/** What an interaction has cost, to be taken from what it holds. */
export type Bill = Readonly<{ owner: Owner; heldMicroUsd: MicroUsd; costMicroUsd: MicroUsd }>;

type Held = Pick<InteractionRow, 'tenant' | 'reservation_micro_usd'>;

/** Null: nothing has to be held for it. */
export function needOfOpening(opening: OpeningRecord): Need | null {
  const { requestId, tenant, openedAtMs: atMs, reservationMicroUsd: requiredMicroUsd } = opening;
  if (requiredMicroUsd === null) return null;
  return { owner: { tenant, requestId, atMs }, attempt: 1, requiredMicroUsd, heldMicroUsd: 0 };
}

/** Null: what is held is enough. An interaction that began without a reservation goes on without one. */
export function needOfAdvance(write: AdvanceWrite, open: Held): Need | null {
  const { requestId, next, reservationMicroUsd: requiredMicroUsd } = write;
  const { tenant, reservation_micro_usd: heldMicroUsd } = open;
  if (requiredMicroUsd === null || heldMicroUsd === null || requiredMicroUsd <= heldMicroUsd) return null;
  const owner = { tenant, requestId, atMs: next.startedAtMs };
  return { owner, attempt: next.number, requiredMicroUsd, heldMicroUsd };
}

/** Null: nothing is held. A cost that is unknown is never zero: it may have been all that is held. */
export function billOf(closing: ClosingRecord, open: Held): Bill | null {
  const { requestId, closedAtMs: atMs, costMicroUsd } = closing;
  const { tenant, reservation_micro_usd: heldMicroUsd } = open;
  if (heldMicroUsd === null) return null;
  return { owner: { tenant, requestId, atMs }, heldMicroUsd, costMicroUsd: costMicroUsd ?? heldMicroUsd };
}

/** `availableMicroUsd`: what the wallet has beside what is held. */
export function insufficient(need: Need, availableMicroUsd: MicroUsd): InsufficientBalance {
  const { requiredMicroUsd, heldMicroUsd } = need;
  return {
    kind: 'insufficient_balance',
    requiredMicroUsd,
    availableMicroUsd: availableMicroUsd + heldMicroUsd,
  };
}

export function missingWallet({ owner }: Bill): Error {
  return new Error(`${owner.requestId} holds money of a wallet that isn't there`);
}
